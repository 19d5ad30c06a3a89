/** Findings that are to be fixed later, as a plan lists them: `- [ ] wave-1:review fix-imports (report.md)`. */
import { oneLine } from '../../base/text.ts';
import type { MarkPlace } from './mark-place.ts';
import type { PlanDocument } from '../plan-document.ts';

/** Its id stands at the beginning of its item, and tells it from the others. */
export interface DeferredFinding {
  readonly id: string;
  readonly text: string;
  readonly isFixed: boolean;
}

export interface DeferredChanges {
  /** Whose boxes are to be ticked. */
  readonly fixed: readonly MarkPlace[];
  /** The items that are missing. */
  readonly added: readonly string[];
}

const longestId = 200;
const longestText = 400;

/** Behind a box, no other character can become structure. */
const harmless = (text: string, most: number): string => oneLine(text, most).replaceAll('<', '\\<');

/** What a person wrote behind an id, and every item that begins with none, is theirs. */
export function deferredChanges({ text, places }: PlanDocument, findings: readonly DeferredFinding[]): DeferredChanges {
  const wanted = new Map<string, DeferredFinding>();
  for (const finding of findings) {
    const id = harmless(finding.id, longestId);
    if (id !== '' && !wanted.has(id)) wanted.set(id, finding);
  }
  // An id may have several words: an item belongs to the longest one that it begins with, and that has none yet.
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
