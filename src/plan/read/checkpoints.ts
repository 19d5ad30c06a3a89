/** Checkpoints: reads where a plan waits for a person. */
import { bare } from '../markdown/inline.ts';
import { markOf, type MarkPlace } from './mark-place.ts';
import { quote } from '../plan-fault.ts';
import type { Span } from '../markdown/span.ts';

export interface CheckpointDraft {
  readonly afterWave: number;
  why: string;
  readonly line: number;
  readonly marks: MarkPlace[];
}

const pause = /(?:\b(after|before)[ *_]{1,6})?\bwave[ #*_]{1,6}(\d{1,6})[*_]{0,3}/i;

export function boxPlace(text: string, box: Span): MarkPlace | undefined {
  const mark = markOf(text.slice(box.at, box.end));
  return mark === undefined ? undefined : { ...box, form: 'box', mark };
}

/** `After wave 2: why`, `before Wave 3 – why`, `Wave 2 complete`. */
export function readCheckpoint(words: string, line: number): CheckpointDraft | undefined {
  const found = pause.exec(words.slice(0, 300));
  if (!found) return undefined;
  const number = Number(found[2]);
  const rest = bare(words.slice(found.index + found[0].length).replace(/^[\s:–—.*_-]{1,20}/, ''));
  const before = found.index > 8 ? bare(words.slice(0, found.index)) : '';
  const afterWave = found[1]?.toLowerCase() === 'before' ? number - 1 : number;
  return { afterWave, why: bare(`${before} ${rest}`), line, marks: [] };
}

export function badCheckpoint(words: string): string {
  return `${quote(words)} does not name a wave; write "After wave 1: why" or "Before wave 2: why"`;
}
