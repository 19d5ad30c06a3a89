/** Deferred: reads and writes the findings a plan defers: `- [ ] wave-1:review fix-imports (report.md)`. */
import { oneLine } from '../../base/text.ts';
import type { MarkPlace } from './mark-place.ts';
import type { PlanDocument } from '../plan-document.ts';

/** The id at the start of an item identifies its finding. */
export interface DeferredFinding {
  readonly id: string;
  readonly text: string;
  readonly isFixed: boolean;
}

export interface DeferredChanges {
  /** The boxes to tick. */
  readonly fixed: readonly MarkPlace[];
  /** The items to add. */
  readonly added: readonly string[];
}

const longestId = 200;
const longestText = 400;

/** After a box, no other character can become structure. */
const harmless = (text: string, most: number): string => oneLine(text, most).replaceAll('<', '\\<');

/** Text that a person wrote after an id, and items without an id, stay unchanged. */
export function deferredChanges({ text, places }: PlanDocument, findings: readonly DeferredFinding[]): DeferredChanges {
  const wanted = new Map<string, DeferredFinding>();
  for (const finding of findings) {
    const id = harmless(finding.id, longestId);
    if (id !== '' && !wanted.has(id)) wanted.set(id, finding);
  }
  // An id may have several words: an item belongs to the longest matching id that has no item yet.
  const lengths = [...new Set([...wanted.keys()].map((id) => id.split(' ').length))].toSorted((a, b) => b - a);
  const listed = new Set<string>();
  const fixed: MarkPlace[] = [];
  for (const item of places.deferred?.items ?? []) {
    const { at, end } = item.text;
    const words = text.slice(at, Math.min(end, at + 3 * longestId)).split(/[ \t]+/);
    const ids = lengths.map((length) => words.slice(0, length).join(' ')).filter((one) => wanted.has(one));
    const id = ids.find((one) => !listed.has(one)) ?? ids[0];
    if (id === undefined) continue;
    listed.add(id);
    if (item.box && wanted.get(id)?.isFixed === true) fixed.push(item.box);
  }
  const added: string[] = [];
  for (const [id, finding] of wanted) {
    if (listed.has(id)) continue;
    added.push(`[${finding.isFixed ? 'x' : ' '}] ${id} ${harmless(finding.text, longestText)}`.trimEnd());
  }
  return { fixed, added };
}
