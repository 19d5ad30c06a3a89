/** Checklist item: reads `- [x] 1.1 Title – description → report.md` from an item or a cell. */
import { idPattern } from '../values/dependencies.ts';
import type { ReportPlace } from './draft.ts';
import { bare } from '../markdown/inline.ts';
import type { Span } from '../markdown/span.ts';

export interface ItemHead {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly report: ReportPlace;
}

const head = /^(task[ #]{1,4})?([`*[]{0,3})(task[ #]{1,4})?([A-Za-z0-9][A-Za-z0-9._-]{0,63})([`*\]]{0,3})/i;
const separator = /^[ \t]{0,8}(?:[:.)|]|[-–—](?=[ \t]))[ \t]{0,8}/;
const arrow = /^[ \t]{0,8}(?:→|->)/;
const writtenReport = /^`?[^\s`]+\.md`?$/;

/** The first word of prose is not an id: an id has digits, and more than digits unless it is set apart. */
function isId(id: string, isApart: boolean): boolean {
  if (!idPattern.test(id) || !/\d/.test(id)) return false;
  return isApart || /^\d+(?:\.\d+)+[a-z]?$/.test(id) || /^[A-Z]{1,8}-?\d+(?:\.\d+)*$/.test(id);
}

/** The span of a report path, without code marks. */
function reportSpan(text: string, at: number, end: number): Span {
  while (at < end && /[ \t`]/.test(text.charAt(at))) at += 1;
  while (end > at && /[ \t`]/.test(text.charAt(end - 1))) end -= 1;
  return { at, end };
}

export function itemHead(text: string, { at, end }: Span): ItemHead | undefined {
  const found = head.exec(text.slice(at, Math.min(end, at + 120)));
  if (!found) return undefined;
  const written = found[4] ?? '';
  const id = written.replace(/\.$/, '');
  const mark = found[2] ?? '';
  const restAt = at + found[0].length;
  const lead = separator.exec(text.slice(restAt, restAt + 20))?.[0];
  const isNamed = found[1] !== undefined || found[3] !== undefined;
  const isApart =
    isNamed || mark !== '' || lead !== undefined || restAt === end || arrow.test(text.slice(restAt, restAt + 12));
  if (!isId(id, isApart)) return undefined;
  const from = restAt + (lead?.length ?? 0);
  const rest = text.slice(from, end);
  const pointer = arrow.exec(rest)?.[0];
  if (pointer !== undefined || rest.trim() === '') {
    const place = pointer === undefined ? { at: end, end } : reportSpan(text, from + pointer.length, end);
    const report = { ...place, arrow: pointer === undefined, cell: false, titled: false };
    return { id, title: '', description: '', report };
  }
  const last = Math.max(rest.lastIndexOf(' → '), rest.lastIndexOf(' -> '));
  const behind = last < 0 ? '' : rest.slice(rest.indexOf(' ', last + 1)).trim();
  const isReport = writtenReport.test(behind);
  const place = isReport ? reportSpan(text, end - rest.length + rest.indexOf(' ', last + 1), end) : { at: end, end };
  const words = isReport ? rest.slice(0, last) : rest;
  const isUnclosed = mark !== '' && found[5] === '';
  const says = isUnclosed && mark !== '[' ? words.replace(mark, '') : words;
  const split = /[ \t][-–—][ \t]/.exec(says);
  return {
    id,
    title: bare(split ? says.slice(0, split.index) : says),
    description: split ? says.slice(split.index + 3).trim() : '',
    report: { ...place, arrow: !isReport, cell: false, titled: true },
  };
}
