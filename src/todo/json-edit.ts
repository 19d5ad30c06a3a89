/** JSON edit: changes single members and items of a JSON text in the style of the text around them. */
import { type JsonMember, membersOf, type JsonPlace } from './json-places.ts';
import type { Splice } from './splice.ts';

/** Sets members in place or after the last one; removes those that are undefined. */
export function memberSplices(
  text: string,
  object: JsonPlace,
  values: ReadonlyMap<string, unknown>,
  members: readonly JsonMember[] = [...membersOf(text, object)],
): Splice[] {
  const style = styleOf(text, object, members);
  const colon = members[0] !== undefined && text[members[0].value.at - 1] === ':' ? ':' : ': ';
  const removed = new Set<JsonPlace>();
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const [key, value] of values) {
    const member = members.findLast((one) => one.key === key);
    if (value === undefined) for (const one of members) if (one.key === key) removed.add(one);
    if (value === undefined) continue;
    if (member === undefined) added.push(`${JSON.stringify(key)}${colon}${printed(value, style)}`);
    else splices.push({ ...member.value, text: printed(value, style) });
  }
  return [...splices, ...partSplices(object, members, removed, added, style)];
}

/** Removes items and appends others after the last one. */
export function itemSplices(
  text: string,
  array: JsonPlace,
  items: readonly JsonPlace[],
  { removed, added }: { readonly removed: ReadonlySet<JsonPlace>; readonly added: readonly unknown[] },
): Splice[] {
  if (removed.size + added.length === 0) return [];
  const style = styleOf(text, array, items);
  return partSplices(
    array,
    items,
    removed,
    added.map((value) => printed(value, style)),
    style,
  );
}

interface Style {
  /** Undefined: everything on one line. */
  readonly indent: string | undefined;
  /** Before each part of the object or array, and before its end. */
  readonly margin: string;
  readonly outer: string;
  readonly eol: string;
}

function styleOf(text: string, container: JsonPlace, parts: readonly JsonPlace[]): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const outer = marginAt(text, container.at);
  const usual = /^\s*[[{]\r?\n([ \t]+)/.exec(text.slice(0, 400))?.[1];
  const first = parts[0];
  if (first === undefined) return { indent: usual, margin: outer + (usual ?? ''), outer, eol };
  const isOneLine = !text.slice(container.at, first.at).includes('\n');
  if (isOneLine) return { indent: undefined, margin: '', outer: '', eol };
  return { indent: usual ?? '  ', margin: marginAt(text, first.at), outer, eol };
}

/** The indentation of the line. */
function marginAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function printed(value: unknown, { indent, margin, eol }: Style): string {
  return indent === undefined
    ? JSON.stringify(value)
    : JSON.stringify(value, null, indent).replaceAll('\n', eol + margin);
}

function partSplices(
  container: JsonPlace,
  parts: readonly JsonPlace[],
  removed: ReadonlySet<JsonPlace>,
  added: readonly string[],
  { indent, margin, outer, eol }: Style,
): Splice[] {
  const last = parts.findLast((part) => !removed.has(part));
  const gap = indent === undefined ? '' : eol + margin;
  const between = indent === undefined ? ', ' : `,${gap}`;
  if (last !== undefined) {
    const addition = { at: last.end, end: last.end, text: added.map((one) => between + one).join('') };
    return [...removals(parts, removed), ...(added.length > 0 ? [addition] : [])];
  }
  const inside = added.length === 0 ? '' : `${gap}${added.join(between)}${indent === undefined ? '' : eol + outer}`;
  return parts.length === 0 && added.length === 0
    ? []
    : [{ at: container.at + 1, end: container.end - 1, text: inside }];
}

/** From the end of the previous part to its own end; at the front, up to the first part that stays. */
function removals(parts: readonly JsonPlace[], removed: ReadonlySet<JsonPlace>): Splice[] {
  const splices: Splice[] = [];
  const kept = parts.findIndex((part) => !removed.has(part));
  const [first, firstKept] = [parts[0], parts[kept]];
  if (kept > 0 && first !== undefined && firstKept !== undefined)
    splices.push({ at: first.at, end: firstKept.at, text: '' });
  for (const [index, part] of parts.entries())
    if (index > kept && removed.has(part))
      splices.push({ at: parts[index - 1]?.end ?? part.at, end: part.end, text: '' });
  return splices;
}
