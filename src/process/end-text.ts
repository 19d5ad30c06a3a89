/** End text: how a command ended, as one line for people. */
import { redactedLine } from '../base/text.ts';
import type { ProcessEnd } from './spawn-marked.ts';

export function endText(ended: ProcessEnd): string {
  switch (ended.kind) {
    case 'exit':
      return `exit code ${ended.code}`;
    case 'signal':
      return `ended by ${ended.signal}`;
    case 'not-started':
      return `could not start: ${redactedLine(ended.message, 300)}`;
    default:
      return ended satisfies never;
  }
}
