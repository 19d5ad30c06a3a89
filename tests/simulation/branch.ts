/**
 * The run's branch in the simulated world: what has landed on it, in order, and by whom. A commit happens at a moment of
 * its own, whatever becomes of its author; doing it again finds it, as the real one does by its trailer.
 */
import type { RunEvent } from '../../src/core/event/event.ts';
import type { MergeStep } from '../../src/core/decide/steps.ts';
import { commitId } from '../support/commit-id.ts';
import type { Random } from './random.ts';

export const base: string = commitId('base');

interface Landed {
  readonly commit: string;
  /** Null: a person's own. */
  readonly delegation: string | null;
  /** The update that made it. */
  readonly update?: string;
  /** By an orchestrator that had been replaced. */
  readonly isLate: boolean;
}

export interface Branch {
  readonly landed: Landed[];
  /** Whether a delegation's work goes together with what was there: the same answer each time it is asked. */
  readonly conflicts: Map<string, boolean>;
  /** What a delegation has left in its folder; null where nothing has changed. */
  readonly left: Map<string, string | null>;
}

export const newBranch = (): Branch => ({ landed: [], conflicts: new Map(), left: new Map() });

export function headOf({ landed }: Branch): string {
  return landed.at(-1)?.commit ?? base;
}

/** Somebody commits to it who is no delegation of the run. */
export function commitByHand({ landed }: Branch): void {
  landed.push({ commit: commitId(`by-hand-${landed.length + 1}`), delegation: null, isLate: false });
}

/** The same work gives the same commit, however often it is looked at. */
export function leftBy({ left }: Branch, delegation: string, random: Random): string | undefined {
  const known = left.get(delegation);
  const commit = known === undefined ? (random.chance(0.15) ? null : commitId(`work-of-${delegation}`)) : known;
  left.set(delegation, commit);
  return commit ?? undefined;
}

export type Merging = { readonly commit: string } | { readonly onto: string } | { readonly branch: string };

/** Whether it conflicts, and why nothing goes into the branch now. */
export interface Chances {
  readonly conflicts: () => boolean;
  readonly refuses: () => string | undefined;
}

export function mergeInto(
  branch: Branch,
  { delegation, head }: MergeStep,
  isLate: boolean,
  { conflicts, refuses }: Chances,
): Merging {
  const { landed } = branch;
  const since = landed.slice(
    head === null || head === base ? 0 : landed.findIndex(({ commit }) => commit === head) + 1,
  );
  const found = since.find((one) => one.delegation === delegation);
  if (found !== undefined) return { commit: found.commit };
  const refused = refuses();
  if (refused !== undefined) return { branch: refused };
  const onto = headOf(branch);
  const key = `${delegation} ${onto}`;
  const isConflict = branch.conflicts.get(key) ?? conflicts();
  branch.conflicts.set(key, isConflict);
  if (isConflict) return { onto };
  const commit = commitId(`merge-of-${delegation}-${landed.length + 1}`);
  landed.push({ commit, delegation, isLate });
  return { commit };
}

/** A newer base: the same update lands once, however often it is done. */
export function updateFrom(
  branch: Branch,
  update: string,
  isLate: boolean,
  conflicts: () => boolean,
): { readonly commit: string } | undefined {
  const { landed } = branch;
  const found = landed.find((one) => one.update === update);
  if (found !== undefined) return found;
  const key = `${update} ${headOf(branch)}`;
  const isConflict = branch.conflicts.get(key) ?? conflicts();
  branch.conflicts.set(key, isConflict);
  if (isConflict) return undefined;
  const made = { commit: commitId(`${update}-as-${landed.length + 1}`), delegation: null, update, isLate };
  landed.push(made);
  return made;
}

/** What the branch holds is what the ledger says, each of it once. */
export function brokenBranch({ landed }: Branch, events: readonly RunEvent[]): string[] {
  const broken: string[] = [];
  const ended = new Set<string>();
  const recorded = new Map<string, string>();
  /** Whose merge was begun, and who was done again before it was known to have been. */
  const begun = new Map<string, string>();
  const givenUp = new Set<string>();
  for (const event of events) {
    if (event.kind === 'delegation.ended') ended.add(event.delegation);
    if (event.kind === 'task.merged') recorded.set(event.delegation, event.commit);
    if (event.kind === 'merge.started') begun.set(event.delegation, event.task);
    if (event.kind === 'work.reopened') {
      // With the fixes of what is done again.
      for (const [delegation, task] of begun)
        if (event.tasks.includes(task) || task.includes(':')) givenUp.add(delegation);
    }
  }
  const byDelegation = new Map<string, string>();
  for (const { delegation, commit } of landed) {
    if (delegation === null) continue;
    if (byDelegation.has(delegation)) broken.push(`${delegation} is on the branch twice`);
    byDelegation.set(delegation, commit);
  }
  for (const [delegation, commit] of recorded) {
    if (byDelegation.get(delegation) !== commit) broken.push(`${commit} is not on the branch`);
  }
  const made = new Map(landed.map(({ update, commit }) => [update, commit]));
  for (const event of events) {
    if (event.kind !== 'workspace.updated' || event.head === undefined) continue;
    if (made.get(event.update) !== event.head) broken.push(`${event.update} is not on the branch`);
  }
  const last = events.findLast(({ kind }) => kind === 'run.ended');
  const isOver = last?.kind === 'run.ended' && last === events.at(-1) && last.status !== 'cancelled';
  for (const { delegation, isLate } of landed) {
    if (delegation === null) continue;
    if (!ended.has(delegation) || !begun.has(delegation)) broken.push(`${delegation} is on the branch too early`);
    const isLost = !recorded.has(delegation) && !givenUp.has(delegation) && !isLate;
    if (isOver && isLost) broken.push(`${delegation} is on the branch and nobody knows`);
  }
  return broken;
}
