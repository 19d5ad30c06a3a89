/** Lines that were elsewhere in the same change before: a file that was renamed or code that was moved brings nothing new. */
import type { ChangedLines } from '../work.ts';

/** Most work has no line anybody asks about, so what was removed is looked through at the first question. */
export function movedLines(lines: readonly ChangedLines[]): (text: string) => boolean {
  let removed: Set<string> | undefined;
  return (text) => {
    removed ??= new Set(lines.flatMap((one) => one.removed.map((line) => line.trim())));
    return removed.has(text.trim());
  };
}
