/** Live text: makes others' text safe, measures it as a terminal shows it, and cuts it to columns. */
import stringWidth from 'string-width';
import { flatten } from '../../base/text.ts';

/** More characters than any window shows; the rest is not read. */
const most = 600;

const plain = /^[ -~]*$/;
/** Invisible characters that terminals measure differently; the emoji joiner stays. */
const invisible = /[\p{Cf}--\u{200d}]/gv;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function widthOf(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}

/** One line of at most `columns` columns, with `…` where it was cut. Keeps the indent. */
export function cutTo(text: string, columns: number): string {
  const indent = text.startsWith('  ') ? '  ' : '';
  const line = indent + flatten(text.slice(0, most)).replace(invisible, '');
  if (widthOf(line) <= columns) return line;
  if (columns < 1) return '';
  let cut = '';
  let used = 1;
  for (const { segment } of characters.segment(line)) {
    const width = widthOf(segment);
    if (used + width > columns) break;
    cut += segment;
    used += width;
  }
  return `${cut.trimEnd()}…`;
}

/** Exactly `columns` columns. */
export function fill(text: string, columns: number): string {
  const cut = cutTo(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - widthOf(cut)));
}

/** `0:07`, `12:30`, `1:02:03`: keeps its form from second to second. */
export function clockOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (number: number): string => String(number % 60).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  return hours === 0 ? `${minutes}:${two(seconds)}` : `${hours}:${two(minutes)}:${two(seconds)}`;
}
