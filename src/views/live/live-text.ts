/** Text for a place of so many columns: what others wrote is made harmless, measured as a terminal shows it, and cut. */
import stringWidth from 'string-width';
import { flatten } from '../../base/text.ts';

/** More than any window shows; what lies behind it is not even looked at. */
const most = 600;

const plain = /^[ -~]*$/;
/** Marks that nobody sees, and that terminals disagree about; the one that joins emoji stays. */
const invisible = /[\p{Cf}--\u{200d}]/gv;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function widthOf(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}

/** One line of at most so many columns; `…` where something is missing. What it is indented by stays. */
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

/** Exactly so many columns. */
export function fill(text: string, columns: number): string {
  const cut = cutTo(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - widthOf(cut)));
}

/** `0:07`, `12:30`, `1:02:03`: does not change its form from second to second. */
export function clockOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (number: number): string => String(number % 60).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  return hours === 0 ? `${minutes}:${two(seconds)}` : `${hours}:${two(minutes)}:${two(seconds)}`;
}
