/**
 * What should not be left in finished work: markers of a merge that was not finished, and holes where code or text was to be.
 * Only lines that are new count.
 */
import type { WorkFinding } from '../core/verification.ts';
import { isGenerated } from './file-kinds.ts';
import { finding, listed } from './findings.ts';
import { hollowIn } from './hollow-lines.ts';
import { movedLines } from './moved-lines.ts';
import type { AddedLine, ChangedLines } from './work.ts';

const mostPlaces = 50;

export function checkLeftBehind(lines: readonly ChangedLines[]): WorkFinding[] {
  const isMoved = movedLines(lines);
  const conflicts: string[] = [];
  const holes: string[] = [];
  for (const { path, added } of lines) {
    if (isGenerated(path)) continue;
    const isNew = ({ text }: AddedLine): boolean => !isMoved(text);
    const conflict = conflictIn(added).find(isNew);
    if (conflict !== undefined) conflicts.push(`${path}:${conflict.line}`);
    const isHollow = hollowIn(path, added);
    for (const line of added) {
      if (holes.length < mostPlaces && isHollow(line) && isNew(line)) holes.push(`${path}:${line.line}`);
    }
  }
  return [
    ...(conflicts.length === 0
      ? []
      : [
          finding('conflict-markers', {
            fact: `conflict markers are left at ${listed(conflicts)}`,
            paths: pathsOf(conflicts),
          }),
        ]),
    ...(holes.length === 0
      ? []
      : [
          finding('placeholder', {
            fact: `something is left to be filled in at ${listed(holes)}`,
            paths: pathsOf(holes),
          }),
        ]),
  ];
}

function pathsOf(places: readonly string[]): string[] {
  return [...new Set(places.map((place) => place.slice(0, place.lastIndexOf(':'))))];
}

/** A row of `=` is a heading in some documents: it counts only beside a marker without a label. */
function conflictIn(added: readonly AddedLine[]): AddedLine[] {
  const labelled = added.filter(({ text }) => /^(?:<{7}|>{7}|\|{7}) \S/.test(text));
  if (labelled.length > 0) return labelled;
  const bare = added.filter(({ text }) => /^(?:<{7}|>{7})\r?$/.test(text));
  return bare.length > 0 && added.some(({ text }) => /^={7}\r?$/.test(text)) ? bare : [];
}
