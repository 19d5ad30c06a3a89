/**
 * Performs the steps beside and after agents: canary, verify, merge, check, postflight. Each returns the event that records it and may be
 * repeated after a crash: verification reads the same folder, and a merge that was not recorded is found by its trailer.
 */
import { defined } from '../../base/defined.ts';
import { DivisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import type { CheckStep, MergeStep, Step, VerifyStep } from '../../core/decide/steps.ts';
import type { EventOf } from '../../core/event/event.ts';
import type { BaseCheck } from '../../core/event/base-check.ts';
import type { PostflightFact } from '../../core/event/workflow-step.ts';
import type { CommandRun, FindingKind, Verification } from '../../core/event/verification.ts';
import type { StepEvent } from '../../engine/engine.ts';
import type { PerformStep } from '../../engine/local/local-engine.ts';
import { finding } from '../../core/event/work-findings.ts';
import { runCheck } from '../../verify/run-check.ts';
import { noClaims, verifyAttempt } from '../../verify/verify-attempt.ts';
import { signingOf } from '../../workspace/git/commit-tree.ts';
import { mergeWork } from '../../workspace/git/merge/merge-work.ts';
import { snapshotRoom } from '../../workspace/git/room/snapshot-room.ts';
import type { Canary } from '../../run-work/canary/canary.ts';
import { inMergedCheckout } from '../../run-work/merged-checkout.ts';
import { registeredAt, excludedPaths, type RunWorkspace } from '../../run-work/run-workspace.ts';
import { tamperedText } from '../../run-work/watch-repository.ts';

export interface StepDeps {
  readonly run: string;
  readonly workspace: RunWorkspace;
  /** The run's current plan file. */
  readonly planFile: () => string;
  readonly postflight: Postflight;
  readonly update: (requested: EventOf<'update.requested'>, signal: AbortSignal) => Promise<StepEvent>;
  readonly canary: Canary;
}

/** Performs one postflight step of a command. May be repeated after a crash. */
export type Postflight = (fact: PostflightFact) => Promise<{ readonly done: boolean; readonly note: string }>;

/** For runs that cannot be updated. */
export const noUpdate: StepDeps['update'] = async ({ update }) => {
  throw new Error(`this run cannot be updated: ${update}`);
};

/** For runs that are not commands. */
export const noPostflight: Postflight = async (fact) => {
  throw new Error(`this run has no postflight: ${fact}`);
};

export function performStep(deps: StepDeps): PerformStep {
  return async (step, signal) => {
    try {
      return await stepTaken(step, deps, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  };
}

async function stepTaken(step: Step, deps: StepDeps, signal: AbortSignal): Promise<StepEvent> {
  switch (step.purpose) {
    case 'canary': {
      const { base, updates, command } = step;
      const unknown = (why: string): BaseCheck => {
        return { argv: [...command.argv], from: command.from, result: 'unknown', end: why, milliseconds: 0 };
      };
      const check = await unlessGitFails(deps.canary(command, updates, signal), unknown);
      return { kind: 'base.checked', base, updates, check };
    }
    case 'verify': {
      const { task, delegation } = step;
      const unknown = (environment: string): Verification => ({ ...nothingKnown(step.room.base), environment });
      const verification = await unlessGitFails(verify(step, deps, signal), unknown);
      return { kind: 'task.verified', task: task.id, delegation, verification };
    }
    case 'merge': {
      const { task, delegation } = step;
      const unmerged = (branch: string): StepEvent => {
        return { kind: 'task.conflicted', task: task.id, delegation, onto: '', conflicts: [], branch };
      };
      return unlessGitFails(merge(step, deps), unmerged);
    }
    case 'check':
      return check(step, deps, signal);
    case 'update': {
      const { requested } = step;
      return unlessGitFails(deps.update(requested, signal), (why) => {
        return { kind: 'update.refused', update: requested.update, why, files: [] };
      });
    }
    case 'postflight':
      return { kind: 'postflight.done', fact: step.fact, ...(await deps.postflight(step.fact)) };
    default:
      return step satisfies never;
  }
}

async function verify(step: VerifyStep, deps: StepDeps, signal: AbortSignal): Promise<Verification> {
  const { run, workspace } = deps;
  const { repository, facts } = workspace;
  const { task, room, delegation, attempt } = step;
  const began = performance.now();
  const directory = workspace.directoryOf(room);
  const tampered = workspace.tampered();
  if (tampered.length > 0) return rejected(room.base, 'repository-changed', tamperedText(tampered));
  const snapshot = await snapshotRoom(repository, {
    folder: room.folder,
    base: room.base,
    setUp: room.setUp,
    exclude: excludedPaths(workspace.factsOf(room)),
    size: facts.size,
    identity: facts.identity,
    at: registeredAt(delegation),
    message: `${task.id}: ${oneLine(task.title, 100)} (attempt ${attempt})`,
    branch: room.branch,
  });
  if (snapshot === undefined) return rejected(room.base, 'room-gone', 'the folder it worked in is gone');
  const { commit, changes, refused } = snapshot;
  if (refused !== undefined) return rejected(room.base, 'files-refused', `its files cannot be added: ${refused}`);
  const { claims = noClaims, repairs } = step.outcome;
  const verified = await verifyAttempt({
    mode: 'returned',
    run,
    step,
    claims,
    repairs,
    repository,
    directory,
    folder: room.folder,
    between: { base: room.base, commit: commit ?? room.base },
    changes,
    bySetUp: snapshot.bySetUp,
    forbidden: facts.forbidden,
    planFile: deps.planFile(),
    check: ({ argv }, _isAgain, output) =>
      workspace.check({ argv, directory, marker: { run, delegation }, output }, signal),
  });
  return { ...verified, ...defined({ commit }), milliseconds: Math.round(performance.now() - began) };
}

/** A git that keeps failing is a question for a person: the work is still there, and the run continues with the rest. */
async function unlessGitFails<T>(work: Promise<T>, otherwise: (why: string) => T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DivisiError && error.code === 'GIT_FAILED') return otherwise(error.message);
    throw error;
  }
}

/** The verification of missing work. */
function rejected(base: string, kind: FindingKind, fact: string): Verification {
  return { ...nothingKnown(base), findings: [finding(kind, { fact })] };
}

function nothingKnown(base: string): Verification {
  const nothing = { changes: [], changed: 0, linesAdded: 0, linesDeleted: 0, findings: [], commands: [] };
  return { verdict: 'rejected', base, ...nothing, milliseconds: 0 };
}

async function merge(step: MergeStep, { run, workspace }: StepDeps): Promise<StepEvent> {
  const { task, delegation, outcome } = step;
  const { repository, facts } = workspace;
  const tampered = workspace.tampered();
  if (tampered.length > 0) {
    const branch = tamperedText(tampered);
    return { kind: 'task.conflicted', task: task.id, delegation, onto: '', conflicts: [], branch };
  }
  const merged = await mergeWork(repository, {
    branch: facts.branch,
    base: step.base,
    knownHead: step.head ?? facts.base,
    commit: step.commit,
    delegation,
    message: `${oneLine(task.title, 72)}\n\n${oneLine(outcome.summary, 400)}`,
    trailers: [
      ['Divisi-Run', run],
      ['Divisi-Task', task.id],
    ],
    identity: facts.identity,
    at: step.at,
    sign: signingOf(facts),
  });
  switch (merged.kind) {
    case 'merged':
      return {
        kind: 'task.merged',
        task: task.id,
        delegation,
        commit: merged.commit,
        ...(merged.foreign === 0 ? {} : { foreign: merged.foreign }),
      };
    case 'conflict':
      return {
        kind: 'task.conflicted',
        task: task.id,
        delegation,
        onto: merged.onto,
        conflicts: [...merged.conflicts],
      };
    case 'moved':
      return { kind: 'task.conflicted', task: task.id, delegation, onto: '', conflicts: [], branch: merged.message };
    default:
      return merged satisfies never;
  }
}

/** Runs a wave's acceptance commands on its merged work, in a clean checkout. */
async function check(step: CheckStep, { run, workspace }: StepDeps, signal: AbortSignal): Promise<StepEvent> {
  const { gate, wave, commit, commands } = step;
  const name = `check-${gate}`;
  const place = { workspace, run, name, checks: name, commit, marker: `check:${gate}` };
  const ran = await inMergedCheckout(place, signal, async (checkout) => {
    const all = new Set<CommandRun>();
    for (const command of commands) all.add((await runCheck(command, checkout.check)).ran);
    return [...all];
  });
  return { kind: 'gate.checked', gate, wave, commit, commands: ran };
}
