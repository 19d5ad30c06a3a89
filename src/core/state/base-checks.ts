/** Finds out whether commands are checked at the base of a run, and which of the config's commands are red there. */
import type { BaseCheck } from '../event/base-check.ts';
import { commandKey } from '../../base/command-key.ts';
import type { WorkspaceFacts } from '../event/verification.ts';
import { workspaceOf } from './current-workspace.ts';
import type { RunState } from './state.ts';

/** Where commands are checked at the base; undefined for runs without rooms and for programs that bring their own workers. */
export function canaryPlace(state: RunState): WorkspaceFacts | undefined {
  const workspace = workspaceOf(state);
  return state.created.settings.gated && workspace !== undefined && workspace.kind !== 'checkout'
    ? workspace
    : undefined;
}

/** The number of updates the run has had: each may bring another base and another set-up. */
export function updatesOf({ workspaces }: Pick<RunState, 'workspaces'>): number {
  return workspaces.length - 1;
}

/** By the number of updates before it: work in a room from before an update is judged by the base it had. */
export function baseKey(updates: number, argv: readonly string[]): string {
  return `${updates}:${commandKey(argv)}`;
}

/** At the current base, or at that of a room. */
export function baseCheckOf(
  state: RunState,
  argv: readonly string[],
  updates: number = updatesOf(state),
): BaseCheck | undefined {
  return state.baseChecks.get(baseKey(updates, argv));
}

/** Red or unable to run. */
export function isRed({ result }: BaseCheck): boolean {
  return result === 'red' || result === 'environment';
}

/** The config's commands that are red at the base and that no person was asked about; none before all of them were checked. */
export function unaskedRed(state: RunState): readonly BaseCheck[] {
  if (state.baseChecks.size === 0) return [];
  const red: BaseCheck[] = [];
  for (const argv of canaryPlace(state)?.accept ?? []) {
    const check = baseCheckOf(state, argv);
    if (check === undefined) return [];
    if (isRed(check) && !state.knownRed.has(commandKey(argv))) red.push(check);
  }
  return red;
}
