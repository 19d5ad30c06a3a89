/** Columns: renders rows as aligned lines. */
import { flatten } from '../../base/text.ts';

export function columns(rows: readonly (readonly string[])[]): string[] {
  const flat = rows.map((row) => row.map(flatten));
  const widths: number[] = [];
  for (const row of flat) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return flat.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
