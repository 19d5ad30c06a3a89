/** Verifies one attempt at a task: checks the changes between two states of the files against the agent's claims. */
import { defined } from '../base/defined.ts';
import { classOf } from '../delegation/deadline.ts';
import { filesOf, runFolder } from '../delegation/delegation-files.ts';
import type { Claims } from '../core/event/outcome.ts';
import type { VerifyStep } from '../core/decide/steps.ts';
import type { CommandRun, Verification, WorkFinding } from '../core/event/verification.ts';
import type { DiffChange } from '../workspace/git/changes.ts';
import { foldersAt, ignoredPaths, renamesBetween, textAt } from '../workspace/git/look-up.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { attemptName } from '../workspace/git/worktree/worktree-name.ts';
import { linesOfWork } from './checks/lines-of-work.ts';
import { verifyWork } from './verify-work.ts';

/** For work that a person accepted although its return could not be read. */
export const noClaims: Claims = { files: 'none', touched: [], artifacts: [], evidence: [], findings: [] };

export interface Attempt {
  readonly run: string;
  readonly step: VerifyStep;
  readonly repository: Repository;
  /** Absolute: the folder the agent worked in; `folder` is its path in the project. */
  readonly directory: string;
  readonly folder: string;
  /** Commits or trees before and after. Equal if nothing changed. */
  readonly between: { readonly base: string; readonly commit: string };
  readonly changes: readonly DiffChange[];
  readonly bySetUp?: readonly string[];
  /** In addition to the task's own forbidden paths. */
  readonly forbidden: readonly string[];
  readonly planFile: string;
  /** Findings of the caller that collected the changes. */
  readonly findings?: readonly WorkFinding[];
  readonly command: (argv: readonly string[], output: string) => Promise<Omit<CommandRun, 'from'>>;
}

/** The most changes a run records; git has all of them. */
const mostChanges = 500;

export async function verifyAttempt(attempt: Attempt): Promise<Omit<Verification, 'base' | 'commit'>> {
  const { run, step, repository, directory, between, changes } = attempt;
  const { task, outcome } = step;
  const began = Date.now();
  const files = filesOf(run, step.wave, task.id, step.delegation);
  const { claims = noClaims } = outcome;
  const lines = await linesOfWork(repository, between, changes);
  const paths = new Set(changes.map(({ path }) => path));
  const name = attemptName(task.id, step.attempt);
  let ran = 0;
  const work = {
    directory,
    claims,
    aboutReturn: [...claims.findings, ...lines.findings, ...(attempt.findings ?? [])],
    expectsChanges: step.role === 'fix' || classOf(task.agent) === 'implementing',
    repairs: outcome.repairs,
    changes,
    bySetUp: attempt.bySetUp ?? [],
    lines: lines.lines.filter(({ path }) => paths.has(path)),
    scope: task.scope,
    lent: task.lent ?? [],
    forbidden: [...attempt.forbidden, ...(task.forbidden ?? [])],
    planFile: attempt.planFile,
    ownPaths: [files.report, files.worklog],
    commands: step.commands.map(({ argv, from }) => ({ argv: [...argv], from })),
  };
  const { verdict, findings, commands } = await verifyWork(work, {
    ignored: (asked) => ignoredPaths(repository, attempt.folder, asked),
    kept: (folders) => foldersAt(repository, between.commit, folders),
    before: (path) => textAt(repository, between.base, path),
    renames: () => renamesBetween(repository, between.base, between.commit),
    run: (argv) => {
      ran += 1;
      return attempt.command(argv, `${runFolder(run)}/checks/${name}/accept-${ran}.txt`);
    },
  });
  const sum = (of: 'linesAdded' | 'linesDeleted'): number => changes.reduce((total, one) => total + one[of], 0);
  return {
    verdict,
    changes: changes.slice(0, mostChanges).map(({ path, change, blob }) => ({ path, change, ...defined({ blob }) })),
    changed: changes.length,
    linesAdded: sum('linesAdded'),
    linesDeleted: sum('linesDeleted'),
    findings,
    commands,
    milliseconds: Date.now() - began,
  };
}
