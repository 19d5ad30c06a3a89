/**
 * Block format: `---OUTPUT---`, one `key: value` per line, `---END---`, anywhere in the text.
 *
 * The last complete block is used. Markers inside code fences are quotes, and markers in the middle of a line are mentions:
 * both are used only if there is no other block. A block without an end is read to the end of the text, with a violation.
 */
import { limits } from '../field.ts';
import type { Findings } from '../finding.ts';
import { readEntries } from './entries.ts';
import { fencesIn, findFences, insideOf, type FenceSpan } from './fences.ts';
import { type WireReturn, noSections } from './raw.ts';

const begin = '---OUTPUT---';
const end = '---END---';

interface Marker {
  readonly isBegin: boolean;
  readonly start: number;
  readonly end: number;
  readonly fenced: boolean;
  /** On a line of its own, with decoration at most. */
  readonly alone: boolean;
}

const NEWLINE = 0x0a;
const decorations = ' \t*_`#';
/** Longer decoration is something else; bounds the cost of a marker. */
const reach = 40;

/** The length of the decoration between a marker and the end of its line; -1 for anything else. */
function decorated(text: string, from: number, step: 1 | -1): number {
  for (let count = 0; count < reach; count += 1) {
    const at = from + count * step;
    if (at < 0 || at >= text.length || text.charCodeAt(at) === NEWLINE) return count;
    if (!decorations.includes(text.charAt(at))) return -1;
  }
  return reach;
}

function findMarkers(text: string): Marker[] {
  const inFence = insideOf(fencesIn(text));
  const markers: Marker[] = [];
  const pattern = /---(?:OUTPUT|END)---/g;
  while (pattern.test(text)) {
    const stop = pattern.lastIndex;
    const isBegin = text.endsWith(begin, stop);
    const start = stop - (isBegin ? begin : end).length;
    const left = decorated(text, start - 1, -1);
    const right = decorated(text, stop, 1);
    const alone = left >= 0 && right >= 0;
    const fenced = inFence(start);
    const last = markers.at(-1);
    // In a row of equal markers, the last begin and the first end are used.
    const isAlike = last?.isBegin === isBegin && last.alone === alone && last.fenced === fenced;
    if (isAlike && !isBegin) continue;
    if (isAlike) markers.pop();
    markers.push({ isBegin, start: alone ? start - left : start, end: alone ? stop + right : stop, fenced, alone });
  }
  return markers;
}

interface Blocks {
  readonly complete: readonly FenceSpan[];
  readonly open: FenceSpan | undefined;
}

function pair(markers: readonly Marker[], text: string): Blocks {
  const complete: FenceSpan[] = [];
  let started: Marker | undefined;
  for (const marker of markers) {
    if (marker.isBegin) started = marker;
    else if (started !== undefined) {
      complete.push({ start: started.end, end: marker.start });
      started = undefined;
    }
  }
  return { complete, open: started === undefined ? undefined : { start: started.end, end: text.length } };
}

/** Blocks between markers on lines of their own; if there are none, either marker may be within a line. */
function blocksIn(markers: readonly Marker[], text: string): Blocks {
  const strict = pair(
    markers.filter(({ alone }) => alone),
    text,
  );
  if (strict.complete.length > 0) return strict;
  const begins = markers.some(({ isBegin, alone }) => isBegin && alone);
  return pair(
    markers.filter(({ isBegin, alone }) => alone || !isBegin || !begins),
    text,
  );
}

/** A block that begins outside a fence ends outside too, unless there is no such end. */
function outsideBlocks(markers: readonly Marker[], text: string): Blocks {
  const outside = blocksIn(
    markers.filter(({ fenced }) => !fenced),
    text,
  );
  if (outside.complete.length > 0) return outside;
  return blocksIn(
    markers.filter(({ fenced, isBegin }) => !fenced || !isBegin),
    text,
  );
}

/** A fence directly inside the markers is packaging, and so is the end of one opened before them. */
function unwrap(body: string, findings: Findings): string {
  const trimmed = body.trim();
  const fences = findFences(trimmed);
  const [first, last] = [fences[0], fences.at(-1)];
  if (last?.inner.start === trimmed.length) return trimmed.slice(0, last.start);
  if (first?.start !== 0 || first.end !== trimmed.length) return body;
  findings.deviate('fence-around', '', 'the fields are in a code fence inside the block');
  return trimmed.slice(first.inner.start, first.inner.end);
}

export function findBlock(text: string, known: ReadonlySet<string>, findings: Findings): WireReturn | undefined {
  if (!text.includes(begin)) return undefined;
  const markers = findMarkers(text);
  const fenced = !markers.some((marker) => marker.isBegin && !marker.fenced);
  const { complete, open } = fenced ? blocksIn(markers, text) : outsideBlocks(markers, text);
  const span = complete.at(-1) ?? open;
  if (span === undefined) return undefined;
  if (fenced) findings.deviate('fence-around', '', 'the block is in a code fence');
  if (complete.length > 1) findings.deviate('several-returns', '', `${complete.length} blocks; the last one is used`);
  if (complete.length > 0 && open !== undefined) {
    findings.deviate('block-in-pieces', '', 'another block starts after the last complete one and never ends');
  }
  if (complete.length === 0) findings.violate('block-unterminated', '', end, 'the end of the text');
  const body = unwrap(text.slice(span.start, span.end), findings);
  if (body.length > limits.block)
    findings.deviate('block-long', '', `${body.length} characters, about 200 tokens expected`);
  return { wireFormat: 'block', values: readEntries(body, known, findings), sections: noSections };
}
