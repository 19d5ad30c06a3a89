/**
 * Verifies finished work again: its commit against claims and scope, its artifacts and acceptance commands against the current
 * branch. Records nothing.
 */
import type { DelegationId } from '../base/ids.ts';
import { type AcceptCommand, acceptCommandsOf } from '../core/decide/accept-commands.ts';
import type { RunState } from '../core/state/state.ts';
import { endedAt, type TaskState } from '../core/state/task-state.ts';
import type { CommandRun, WorkFinding } from '../core/event/verification.ts';
import { finding, rejectingFirst, shortList } from '../core/event/work-findings.ts';
import { noClaims, verifyAttempt } from '../verify/verify-attempt.ts';
import type { WorkChange } from '../verify/work.ts';
import { changesBetween } from '../workspace/git/changes.ts';
import { isContained } from '../workspace/git/history.ts';
import { commitOf } from '../workspace/git/look-up.ts';
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
  // Concurrent verifiers of one run have separate folders and processes.
  const name = verifierName();
  const place = { workspace, run, name, checks: 'again', commit, marker: name };
  await inMergedCheckout(place, signal, async (checkout) => {
    const command = once(checkout);
    for (const task of some) {
      signal.throwIfAborted();
      found.set(task.planned.id, await again(state, task, { workspace, commit, checkout, command, taken, drifted }));
    }
  });
  return found;
}

interface Place extends Omit<VerifyAgainDeps, 'signal'> {
  readonly checkout: OpenCheckout;
  readonly command: (command: AcceptCommand) => Promise<CommandRun>;
  /** Path → the last task that deleted it. */
  readonly taken: ReadonlyMap<string, string>;
  readonly drifted: DriftedFiles;
}

async function again(state: RunState, task: TaskState, place: Place): Promise<Reverification> {
  const { workspace, checkout, taken } = place;
  const { repository, facts } = workspace;
  const { planned, role, wave, attempts, progress } = task;
  const { delegation = null, commit = null, room = null } = task.attempt ?? {};
  const lost = commit !== null && !(await isContained(repository, commit, place.commit));
  if (lost) return { findings: [goneFinding(commit, facts.branch)], commands: [] };
  const before = commit === null ? undefined : await commitOf(repository, `${commit}^`);
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
    between: { base: before ?? after, commit: after },
    changes: await changesOf(workspace, task, before),
    // A claim without a change was accepted where set-up had made the change.
    bySetUp: room?.setUp === undefined ? [] : claims.touched.map(({ path }) => path),
    forbidden: facts.forbidden,
    planFile: state.planFile,
    command: (argv) => place.command({ argv, from: 'plan' }),
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
async function changesOf(
  { repository }: RunWorkspace,
  { attempt }: TaskState,
  before: string | undefined,
): Promise<WorkChange[]> {
  const { commit = null, verification = null } = attempt ?? {};
  const brought = before === undefined || commit === null ? [] : await changesBetween(repository, before, commit);
  const paths = new Set(brought.map(({ path }) => path));
  const done = (verification?.changes ?? []).filter(({ path }) => !paths.has(path));
  return [...brought, ...done.map(({ path, change }) => ({ path, change, mode: '' }))];
}

function once({ command }: OpenCheckout): (wanted: AcceptCommand) => Promise<CommandRun> {
  const ran = new Map<string, Promise<CommandRun>>();
  return (wanted) => {
    const key = wanted.argv.join('\0');
    const known = ran.get(key) ?? command(wanted);
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
