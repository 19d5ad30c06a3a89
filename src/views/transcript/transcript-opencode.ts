/** `opencode run --format json`. A tool is told of when it has ended; what is used, after every step. */
import type { Entry, EntryReader } from './transcript-entry.ts';
import { valueAt, numberAt, textAt } from '../../base/json-value.ts';
import { mainArgument } from './transcript-tool.ts';
import { usageText } from './transcript-usage.ts';
import { firstLine } from './transcript-values.ts';
import { timed } from './transcript-timed.ts';

export function opencodeReader(): EntryReader {
  const used = { input: 0, cached: 0, output: 0, cost: 0 };

  function step(part: unknown): Entry[] {
    used.input += numberAt(part, 'tokens', 'input') ?? 0;
    used.cached += numberAt(part, 'tokens', 'cache', 'read') ?? 0;
    used.output += numberAt(part, 'tokens', 'output') ?? 0;
    used.cost += numberAt(part, 'cost') ?? 0;
    return textAt(part, 'reason') === 'tool-calls' ? [] : [{ kind: 'usage', text: usageText(used) }];
  }

  function entries(message: unknown): readonly Entry[] {
    const part = valueAt(message, 'part');
    switch (textAt(message, 'type')) {
      case 'text':
        return [{ kind: 'said', text: textAt(part, 'text') }];
      case 'reasoning':
        return [{ kind: 'thought', text: textAt(part, 'text') }];
      case 'tool_use': {
        const code = numberAt(part, 'state', 'metadata', 'exit') ?? 0;
        const failed = code !== 0 || textAt(part, 'state', 'status') === 'error';
        const words = [code === 0 ? '' : `exit code ${code}`, firstLine(textAt(part, 'state', 'error'))];
        const detail = words.filter((word) => word !== '').join(', ');
        const argument = mainArgument(valueAt(part, 'state', 'input'));
        return [
          { kind: 'tool-ended', id: textAt(part, 'callID'), name: textAt(part, 'tool'), argument, failed, detail },
        ];
      }
      case 'step_finish':
        return step(part);
      case 'error': {
        const error = valueAt(message, 'error');
        const words = [
          textAt(error, 'name'),
          textAt(error, 'data', 'statusCode'),
          textAt(error, 'data', 'message') || textAt(error, 'message'),
        ];
        return [{ kind: 'error', text: words.filter((word) => word !== '').join(' ') }];
      }
      default:
        return [];
    }
  }

  return timed(entries);
}
