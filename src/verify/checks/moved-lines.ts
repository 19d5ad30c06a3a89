/** Recognises lines that the same change removes elsewhere: a renamed file or moved code adds nothing new. */
import type { ChangedLines } from '../work.ts';

/** Built at the first question, since most work has no line to ask about. */
export function movedLines(lines: readonly ChangedLines[]): (text: string) => boolean {
  let removed: Set<string> | undefined;
  return (text) => {
    removed ??= new Set(lines.flatMap((one) => one.removed.map((line) => line.trim())));
    return removed.has(text.trim());
  };
}
