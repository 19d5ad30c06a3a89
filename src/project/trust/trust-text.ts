/** Trust text: shows what a project can execute, in full, for a person to decide by. */
import { flatten } from '../../base/text.ts';
import type { ProjectTrust } from './trust.ts';

/** One line per path, and one for each thing below it. */
export function executablesText({ executables }: Pick<ProjectTrust, 'executables'>): string {
  const isKnown = executables.some(({ seen }) => seen !== 'new');
  return executables
    .flatMap(({ path, lines, seen }) => {
      const mark = !isKnown || seen === 'same' ? '' : ` (${seen})`;
      return [`  ${flatten(path)}${mark}`, ...lines.map((line) => `    ${flatten(line)}`)];
    })
    .join('\n');
}
