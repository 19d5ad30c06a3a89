/**
 * Verifies finished work again: its commit against claims and scope, its artifacts and acceptance commands against the current
 * branch. Records nothing.
 */
import type { DelegationId } from '../base/ids.ts';
import { acceptCommandsOf } from '../core/decide/accept-commands.ts';
import type { RunState } from '../core/state/state.ts';
import { endedAt, type TaskState } from '../core/state/task-state.ts';
import { commandKey } from '../base/command-key.ts';
import type { CommandRun, WorkFinding } from '../core/event/verification.ts';
import { finding, rejectingFirst, shortList } from '../core/event/work-findings.ts';
import { noClaims, verifyAttempt } from '../verify/verify-attempt.ts';
import type { RanCheck, RunOnce } from '../verify/run-check.ts';
import type { WorkChange } from '../verify/work.ts';
import type { DiffChange } from '../workspace/git/changes.ts';
import { type MergedCommit, mergedCommits } from '../workspace/git/merged-commits.ts';
import { type DriftedFiles, findDrift } from './find-drift.ts';
import { verifierName } from './verifier-process.ts';
import { inMergedCheckout, type OpenCheckout } from './merged-checkout.ts';
import type { RunWorkspace } from './run-workspace.ts';

export interface Reverification {
  readonly findings: readonly WorkFinding[];
  readonly commands: readonly CommandRun[];
}

export interface VerifyAgainDeps {
  readonly workspace: RunWorkspace;
  /** Head of the run's branch. */
  readonly commit: string;
  readonly signal: AbortSignal;
}

/** Completed work with a verification to compare with. */
export function canVerifyAgain({ progress, attempt }: TaskState): boolean {
  return progress.status === 'completed' && (attempt?.verification ?? null) !== null;
}

/** Returns findings by task. Runs each command once. An aborted signal throws its reason. */
export async function verifyAgain(
  state: RunState,
  tasks: readonly TaskState[],
  { workspace, commit, signal }: VerifyAgainDeps,
): Promise<Map<string, Reverification>> {
  const { run } = state.created;
  const found = new Map<string, Reverification>();
  const some = tasks.filter(canVerifyAgain);
  if (some.length === 0) return found;
  const taken = takenAway(state);
  const drifted = await findDrift(state, commit, workspace);
  const commits = some.flatMap(({ attempt }) => attempt?.commit ?? []);
  const merged = await mergedCommits(workspace.repository, commits, commit);
  // Concurrent verifiers of one run have separate folders and processes.
  const name = verifierName();
  const place = { workspace, run, name, checks: 'again', commit, marker: name };
  await inMergedCheckout(place, signal, async (checkout) => {
    const check = once(checkout);
    for (const task of some) {
      signal.throwIfAborted();
      const around = { workspace, commit, checkout, check, taken, drifted, merged };
      found.set(task.planned.id, await again(state, task, around));
    }
  });
  return found;
}

interface Place extends Omit<VerifyAgainDeps, 'signal'> {
  readonly checkout: OpenCheckout;
  readonly check: RunOnce;
  /** Path → the last task that deleted it. */
  readonly taken: ReadonlyMap<string, string>;
  readonly drifted: DriftedFiles;
  readonly merged: ReadonlyMap<string, MergedCommit>;
}

async function again(state: RunState, task: TaskState, place: Place): Promise<Reverification> {
  const { workspace, checkout, taken } = place;
  const { repository, facts } = workspace;
  const { planned, role, wave, attempts, progress } = task;
  const { delegation = null, commit = null, room = null } = task.attempt ?? {};
  const merged = commit === null ? undefined : place.merged.get(commit);
  if (commit !== null && merged === undefined) return { findings: [goneFinding(commit, facts.branch)], commands: [] };
  const after = commit ?? place.commit;
  const { claims = noClaims } = ('outcome' in progress && progress.outcome) || {};
  const { findings, commands } = await verifyAttempt({
    mode: 'merged',
    run: state.created.run,
    step: {
      task: planned,
      role,
      wave,
      attempt: attempts,
      delegation: delegation ?? noDelegation,
      commands: acceptCommandsOf(state, [task]),
    },
    // A task does not answer for an artifact that another task has deleted since.
    claims: { ...claims, artifacts: claims.artifacts.filter((path) => (taken.get(path) ?? planned.id) === planned.id) },
    repository,
    directory: checkout.directory,
    folder: checkout.folder,
    between: { base: merged?.before ?? after, commit: after },
    changes: changesOf(task, merged?.changes ?? []),
    // A claim without a change was accepted where set-up had made the change.
    bySetUp: room?.setUp === undefined ? [] : claims.touched.map(({ path }) => path),
    forbidden: facts.forbidden,
    planFile: state.planFile,
    check: (command, isAgain) => place.check(command, isAgain),
  });
  return { findings: rejectingFirst([...driftFindings(planned.id, place.drifted), ...findings]), commands };
}

const noDelegation = '' as DelegationId;

function goneFinding(commit: string, branch: string): WorkFinding {
  return finding('commit-gone', { fact: `its commit ${commit.slice(0, 10)} is no longer in ${branch}` });
}

function driftFindings(id: string, drifted: DriftedFiles): WorkFinding[] {
  const pathsOf = (how: DriftedFiles[number]['found']): string[] =>
    drifted.filter(({ task, found }) => task === id && found === how).map(({ path }) => path);
  const [gone, changed] = [pathsOf('missing'), pathsOf('changed')];
  return [
    ...(gone.length === 0
      ? []
      : [
          finding('files-gone', {
            fact: `gone from the run's branch, but not by a task: ${shortList(gone)}`,
            paths: gone,
          }),
        ]),
    ...(changed.length === 0
      ? []
      : [
          finding('files-changed', {
            fact: `changed on the run's branch, but not by a task: ${shortList(changed)}`,
            paths: changed,
          }),
        ]),
  ];
}

/** The changes of its commit, and those that were on the branch already because another task made them. */
function changesOf({ attempt }: TaskState, brought: readonly DiffChange[]): WorkChange[] {
  const paths = new Set(brought.map(({ path }) => path));
  const done = (attempt?.verification?.changes ?? []).filter(({ path }) => !paths.has(path));
  return [...brought, ...done.map(({ path, change }) => ({ path, change, mode: '' }))];
}

function once({ check }: OpenCheckout): RunOnce {
  const ran = new Map<string, Promise<RanCheck>>();
  return (wanted, isAgain) => {
    const key = `${String(isAgain)}:${commandKey(wanted.argv)}`;
    const known = ran.get(key) ?? check(wanted, isAgain);
    ran.set(key, known);
    return known;
  };
}

/** Path → the task that deleted it. The last task that touched a path answers for it. */
function takenAway({ tasks, gateTasks }: RunState): Map<string, string> {
  const taken = new Map<string, string>();
  const all = [...tasks.values(), ...gateTasks.values()].filter(canVerifyAgain);
  for (const { planned, attempt } of all.toSorted((one, other) => endedAt(one) - endedAt(other))) {
    for (const { path, change } of attempt?.verification?.changes ?? []) {
      if (change === 'deleted') taken.set(path, planned.id);
      else taken.delete(path);
    }
  }
  return taken;
}
