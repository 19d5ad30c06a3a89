/** Says which ticked tasks are not where a run would start, and which run did them. */
import { oneLine } from '../../base/text.ts';
import type { UnmergedRun } from '../../run-work/unmerged-marks.ts';

const mostShown = 10;

/** `1.1, 1.2 (run_…, branch divisi/run_…)` for each run. */
export function unmergedLines(found: readonly UnmergedRun[]): string[] {
  return found.map(({ run, tasks, branch, head }) => {
    const shown = tasks.slice(0, mostShown).map((id) => oneLine(id, 40));
    const more = tasks.length > mostShown ? ` and ${tasks.length - mostShown} more` : '';
    return `${shown.join(', ')}${more}: done by ${run}, ${head === undefined ? 'whose branch is gone' : `on the branch ${branch}`}`;
  });
}
