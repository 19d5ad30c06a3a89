/** Detects leftovers in finished work: conflict markers and placeholders. Only new lines count. */
import type { WorkFinding } from '../../core/event/verification.ts';
import { findingAt, type Place } from '../../core/event/work-findings.ts';
import { hollowIn } from './hollow-lines.ts';
import { movedLines } from './moved-lines.ts';
import type { AddedLine, ChangedLines } from '../work.ts';

const mostPlaces = 50;

export function checkLeftBehind(lines: readonly ChangedLines[]): WorkFinding[] {
  const isMoved = movedLines(lines);
  const isNew = ({ text }: AddedLine): boolean => !isMoved(text);
  const conflicts: Place[] = [];
  const holes: Place[] = [];
  for (const { path, added } of lines) {
    const conflict = conflictIn(added).find(isNew);
    if (conflict !== undefined) conflicts.push({ path, line: conflict.line });
    const isHollow = hollowIn(path, added);
    for (const one of added) {
      if (holes.length < mostPlaces && isHollow(one) && isNew(one)) holes.push({ path, line: one.line });
    }
  }
  return [
    ...findingAt('conflict-markers', 'conflict markers left', conflicts),
    ...findingAt('placeholder', 'placeholders left', holes),
  ];
}

/** A row of `=` is a heading in some documents: it counts only next to a marker without a label. */
function conflictIn(added: readonly AddedLine[]): AddedLine[] {
  const labelled = added.filter(({ text }) => /^(?:<{7}|>{7}|\|{7}) \S/.test(text));
  if (labelled.length > 0) return labelled;
  const bare = added.filter(({ text }) => /^(?:<{7}|>{7})\r?$/.test(text));
  return bare.length > 0 && added.some(({ text }) => /^={7}\r?$/.test(text)) ? bare : [];
}
