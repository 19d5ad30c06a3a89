/**
 * The block format: `---OUTPUT---`, one `key: value` per line, `---END---`, anywhere in the text.
 *
 * The last complete block counts. Markers inside code fences are quoted material: they count only when there is no
 * block outside. A block that never ends is read to the end of the text and is a violation.
 */
import type { Findings } from '../finding.ts';
import { limits } from '../field.ts';
import { readEntries } from './entries.ts';
import { findFences, insideOf, type Span } from './fences.ts';
import { type Found, noSections } from './found.ts';

const begin = '---OUTPUT---';
const end = '---END---';

interface Marker {
  readonly isBegin: boolean;
  readonly start: number;
  readonly end: number;
  readonly fenced: boolean;
}

function findMarkers(text: string): Marker[] {
  const inFence = insideOf(findFences(text));
  const markers: Marker[] = [];
  const pattern = /---(?:OUTPUT|END)---/g;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = match.index;
    markers.push({ isBegin: match[0] === begin, start, end: start + match[0].length, fenced: inFence(start) });
  }
  return markers;
}

interface Blocks {
  readonly complete: readonly Span[];
  readonly open: Span | undefined;
}

function pair(markers: readonly Marker[], text: string): Blocks {
  const complete: Span[] = [];
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

/** A fence right inside the markers is packaging. */
function unwrap(body: string, findings: Findings): string {
  const trimmed = body.trim();
  const mark = /^(?:`{3,}|~{3,})/.exec(trimmed)?.[0];
  const firstLine = trimmed.indexOf('\n');
  const lastLine = trimmed.lastIndexOf('\n');
  if (mark === undefined || firstLine === lastLine || trimmed.slice(lastLine + 1).trim() !== mark) return body;
  findings.deviate('fence-around', '', 'the fields stand in a code fence inside the block');
  return trimmed.slice(firstLine + 1, lastLine);
}

export function findBlock(text: string, known: ReadonlySet<string>, findings: Findings): Found | undefined {
  if (!text.includes(begin)) return undefined;
  const markers = findMarkers(text);
  const outside = markers.filter((marker) => !marker.fenced);
  const fenced = !outside.some((marker) => marker.isBegin);
  const { complete, open } = pair(fenced ? markers : outside, text);
  const span = complete.at(-1) ?? open;
  if (span === undefined) return undefined;
  if (fenced) findings.deviate('fence-around', '', 'the block stands in a code fence');
  if (complete.length > 1) findings.deviate('several-returns', '', `${complete.length} blocks; the last one counts`);
  if (complete.length > 0 && open !== undefined) {
    findings.deviate('block-in-pieces', '', 'another block was begun after the last complete one and never ended');
  }
  if (complete.length === 0) findings.violate('block-unterminated', '', end, 'the end of the text');
  const body = unwrap(text.slice(span.start, span.end), findings);
  if (body.length > limits.block) findings.deviate('block-long', '', `${body.length} characters, about 200 tokens wanted`);
  return { wireFormat: 'block', values: readEntries(body, known, findings), sections: noSections };
}
