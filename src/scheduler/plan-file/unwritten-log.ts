/**
 * Which lines of the plan's log a crash may have kept from being written: those of the events since the writing before
 * the last one, because the last one may have been recorded and not done.
 */
import type { RunEvent } from '../../core/event/event.ts';
import type { RunState } from '../../core/state/state.ts';
import { logLine } from '../../views/files/plan-changes.ts';
import { progressLines } from '../../views/run/progress-lines.ts';

export interface UnwrittenLog {
  /** For each event of the run, in order. */
  readonly seen: (event: RunEvent, state: RunState) => void;
  lines(): string[];
}

export function unwrittenLog(): UnwrittenLog {
  const words = progressLines();
  let [before, since]: [string[], string[]] = [[], []];
  return {
    seen(event, state) {
      if (event.kind === 'plan.written') [before, since] = [since, []];
      const line = logLine(event, state, words);
      if (line !== undefined) since.push(line);
    },
    lines: () => [...before, ...since],
  };
}
