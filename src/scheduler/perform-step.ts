/**
 * What is done with work after its agent has ended. Each step brings the event that records it, and may be taken again after
 * a crash: verifying looks at the same folder, and a merge that was done but not recorded is found by its trailer.
 */
import { oneLine } from '../contracts/flatten.ts';
import type { Claims } from '../core/outcome.ts';
import type { CheckStep, MergeStep, Step, VerifyStep } from '../core/steps.ts';
import type { CommandRun, FindingKind, Verification } from '../core/verification.ts';
import type { StepEvent } from '../engine/engine.ts';
import type { PerformStep } from '../engine/local/local-engine.ts';
import { classOf } from '../delegation/deadline.ts';
import { finding } from '../verify/findings.ts';
import { verifyWork } from '../verify/verify-work.ts';
import { foldersAt, ignoredPaths, renamesBetween, textAt } from '../workspace/git/look-up.ts';
import { mergeWork } from '../workspace/git/merge-work.ts';
import { snapshotWorktree } from '../workspace/git/snapshot-worktree.ts';
import { attemptName } from '../workspace/git/worktree-name.ts';
import { filesOf, runFolder } from './delegation-files.ts';
import { linesOfWork } from './lines-of-work.ts';
import { inMergedCheckout } from './merged-checkout.ts';
import { beganAt, leftOut, type RunWorkspace } from './run-workspace.ts';

export interface StepDeps {
  readonly run: string;
  readonly workspace: RunWorkspace;
  /** Of the run, as it is now. */
  readonly planFile: () => string;
}

/** A person has taken work whose return says nothing that could be read. */
export const noClaims: Claims = { files: 'none', touched: [], artifacts: [], evidence: [], findings: [] };

/** What a run remembers of a change; the commit has all of it. */
const mostChanges = 500;

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
    case 'verify': {
      const { task, delegation } = step;
      return { kind: 'task.verified', task: task.id, delegation, verification: await verify(step, deps, signal) };
    }
    case 'merge':
      return merge(step, deps);
    case 'check':
      return check(step, deps, signal);
    default:
      return step satisfies never;
  }
}

async function verify(step: VerifyStep, deps: StepDeps, signal: AbortSignal): Promise<Verification> {
  const { run, workspace } = deps;
  const { repository, facts } = workspace;
  const { task, worktree, outcome, delegation, attempt } = step;
  const began = Date.now();
  const directory = workspace.directoryOf(worktree);
  const files = filesOf(run, step.wave, task.id, delegation);
  const snapshot = await snapshotWorktree(repository, {
    folder: worktree.folder,
    base: worktree.base,
    setUp: worktree.setUp,
    exclude: leftOut(facts),
    identity: facts.identity,
    at: beganAt(delegation),
    message: `${task.id}: ${oneLine(task.title, 100)} (attempt ${attempt})`,
    branch: worktree.branch,
  });
  if (snapshot === undefined) return rejected(worktree.base, 'worktree-gone', 'the folder it worked in is gone');
  const { commit, changes, refused } = snapshot;
  if (refused !== undefined) return rejected(worktree.base, 'files-refused', `git does not take its files: ${refused}`);
  const between = { base: worktree.base, commit: commit ?? worktree.base };
  const name = attemptName(task.id, attempt);
  let ran = 0;
  const { claims = noClaims } = outcome;
  const lines = await linesOfWork(repository, between, changes);
  const work = {
    directory,
    claims,
    aboutReturn: [...claims.findings, ...lines.findings],
    expectsChanges: step.role === 'fix' || classOf(task.agent) === 'implementing',
    repairs: outcome.repairs,
    changes,
    bySetUp: snapshot.bySetUp,
    lines: lines.lines,
    scope: task.scope,
    forbidden: [...facts.forbidden, ...(task.forbidden ?? [])],
    planFile: deps.planFile(),
    ownPaths: [files.report, files.worklog],
    commands: step.commands.map(({ argv, from }) => ({ argv: [...argv], from })),
  };
  const { verdict, findings, commands } = await verifyWork(work, {
    ignored: (paths) => ignoredPaths(repository, worktree.folder, paths),
    kept: (folders) => foldersAt(repository, between.commit, folders),
    before: (path) => textAt(repository, between.base, path),
    renames: () => renamesBetween(repository, between.base, between.commit),
    run: (argv) => {
      ran += 1;
      const output = `${runFolder(run)}/checks/${name}/accept-${ran}.txt`;
      return workspace.run({ argv, directory, marker: { run, delegation }, output }, signal);
    },
  });
  return {
    verdict,
    base: worktree.base,
    ...(commit === undefined ? {} : { commit }),
    changes: changes
      .slice(0, mostChanges)
      .map(({ path, change, blob }) => ({ path, change, ...(blob === undefined ? {} : { blob }) })),
    changed: changes.length,
    linesAdded: snapshot.linesAdded,
    linesDeleted: snapshot.linesDeleted,
    findings,
    commands,
    milliseconds: Date.now() - began,
  };
}

/** There is nothing that could be looked at. */
function rejected(base: string, kind: FindingKind, fact: string): Verification {
  const nothing = { changes: [], changed: 0, linesAdded: 0, linesDeleted: 0, commands: [], milliseconds: 0 };
  return { verdict: 'rejected', base, ...nothing, findings: [finding(kind, { fact })] };
}

async function merge(step: MergeStep, { run, workspace }: StepDeps): Promise<StepEvent> {
  const { task, delegation, outcome } = step;
  const { repository, facts } = workspace;
  const merged = await mergeWork(repository, {
    branch: facts.branch,
    base: step.base,
    knownHead: step.head ?? facts.base,
    commit: step.commit,
    delegation,
    message: `${oneLine(task.title, 72)}\n\n${oneLine(outcome.summary, 400)}`,
    trailers: [
      ['Tutti-Run', run],
      ['Tutti-Task', task.id],
    ],
    identity: facts.identity,
    at: step.at,
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

/** The commands run on what all tasks of the wave have done together, in a folder that nobody has worked in. */
async function check(step: CheckStep, { run, workspace }: StepDeps, signal: AbortSignal): Promise<StepEvent> {
  const { gate, wave, commit, commands } = step;
  const name = `check-${gate}`;
  const place = { workspace, run, name, checks: name, commit, marker: `check:${gate}` };
  const ran = await inMergedCheckout(place, signal, async (checkout) => {
    const all = new Set<CommandRun>();
    for (const command of commands) all.add(await checkout.command(command));
    return [...all];
  });
  return { kind: 'gate.checked', gate, wave, commit, commands: ran };
}
