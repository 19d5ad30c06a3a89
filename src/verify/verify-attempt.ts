/**
 * Verifies the work of one attempt: checks the changes between two states of the files against the agent's claims, the task's
 * scope and its acceptance commands.
 *
 * Mode `returned`: work as its agent left it. Mode `merged`: finished work, verified again in a checkout of the run's branch; only
 * findings that can still be established there are returned.
 */
import { defined } from '../base/defined.ts';
import { classOf } from '../delegation/deadline.ts';
import { filesOf, runFolder } from '../delegation/delegation-files.ts';
import type { Claims } from '../core/event/outcome.ts';
import type { VerifyStep } from '../core/decide/steps.ts';
import { commandKey } from '../base/command-key.ts';
import type { FindingKind, Verification, WorkFinding } from '../core/event/verification.ts';
import { finding } from '../core/event/work-findings.ts';
import { countLines, type DiffChange } from '../workspace/git/changes.ts';
import { hooksFolder } from '../workspace/git/merge/hooks-folder.ts';
import { blobTexts, foldersAt, ignoredPaths, renamesBetween, committedText } from '../workspace/git/look-up.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { attemptName } from '../workspace/git/room/room-name.ts';
import { acceptCommand } from '../plan/values/accept-command.ts';
import type { AcceptCommand } from '../core/decide/accept-commands.ts';
import { whyChecksCannotRun } from './cannot-run.ts';
import { checkCriteria } from './checks/criteria.ts';
import { linesOfWork } from './checks/lines-of-work.ts';
import type { RanCheck } from './run-check.ts';
import { type VerifyDeps, verifyWork, type Work } from './verify-work.ts';
import { linkMode, type WorkChange } from './work.ts';

/** For work that a person accepted although its return could not be read. */
export const noClaims: Claims = { files: 'none', touched: [], artifacts: [], evidence: [], findings: [] };

interface AttemptFacts {
  readonly run: string;
  readonly step: Pick<VerifyStep, 'task' | 'role' | 'wave' | 'attempt' | 'delegation' | 'commands'> &
    Partial<Pick<VerifyStep, 'unconfirmed'>>;
  readonly claims: Claims;
  readonly repository: Repository;
  /** Absolute: the project in the folder to verify, and the top of that folder. */
  readonly directory: string;
  readonly folder: string;
  /** Commits or trees before and after. Equal if nothing changed. */
  readonly between: { readonly base: string; readonly commit: string };
  /** Paths that set-up changed and the agent left alone. */
  readonly bySetUp?: readonly string[];
  /** In addition to the task's own forbidden paths. */
  readonly forbidden: readonly string[];
  readonly planFile: string;
  /** Runs an acceptance command once. `output` is relative to the project. */
  readonly check: (command: AcceptCommand, isAgain: boolean, output: string) => Promise<RanCheck>;
}

export interface ReturnedWork extends AttemptFacts {
  readonly mode: 'returned';
  readonly repairs: number;
  readonly changes: readonly DiffChange[];
  /** Findings of the caller that collected the changes. */
  readonly findings?: readonly WorkFinding[];
}

export interface MergedWork extends AttemptFacts {
  readonly mode: 'merged';
  readonly changes: readonly WorkChange[];
}

export type VerifiedWork = Omit<Verification, 'commit' | 'milliseconds'>;

/** The most changes a run records; git has all of them. */
const mostChanges = 500;

export async function verifyAttempt(attempt: ReturnedWork | MergedWork): Promise<VerifiedWork> {
  const { between, changes } = attempt;
  const { verdict, findings, commands, missing } = await verifyWork(await workOf(attempt), depsOf(attempt));
  const judged = { commands, findings, missing, scope: attempt.step.task.scope };
  const environment =
    attempt.mode === 'merged'
      ? undefined
      : whyChecksCannotRun({ ...judged, changes: attempt.changes, checked: attempt.step.commands });
  return {
    verdict,
    base: between.base,
    changes: changes.slice(0, mostChanges).map(({ path, change, blob }) => ({ path, change, ...defined({ blob }) })),
    changed: changes.length,
    ...countLines(attempt.mode === 'merged' ? [] : attempt.changes),
    findings: attempt.mode === 'merged' ? findings.filter(({ kind }) => lasting.has(kind)) : findings,
    commands,
    ...defined({ environment }),
  };
}

/** Findings about merged work; the others are about how the work was done. */
const lasting: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'claimed-unchanged',
  'claimed-ignored',
  'changed-unclaimed',
  'deleted-unclaimed',
  'outside-scope',
  'forbidden',
  'own-files',
  'link-leads-out',
  'embedded-repository',
  'commit-gone',
  'artifact-missing',
  'artifact-empty',
  'artifact-outside',
  'artifact-ignored',
  'acceptance-failed',
]);

async function workOf(attempt: ReturnedWork | MergedWork): Promise<Work> {
  const { run, step, claims, directory, changes } = attempt;
  const { task } = step;
  const files = filesOf(run, step.wave, task.id, step.delegation);
  const common = {
    directory,
    claims,
    changes,
    bySetUp: attempt.bySetUp ?? [],
    scope: task.scope,
    extraWritablePaths: task.extraWritablePaths ?? [],
    forbidden: [...attempt.forbidden, ...(task.forbidden ?? [])],
    planFile: attempt.planFile,
    linkTargets: await linkTargetsIn(attempt),
    ownPaths: [files.report, files.worklog],
    commands: step.commands,
  };
  if (attempt.mode === 'merged') {
    return { ...common, isCheckout: true, aboutReturn: [], repairs: 0, expectsChanges: false, lines: [] };
  }
  const { lines, findings } = await linesOfWork(attempt.repository, attempt.between, attempt.changes);
  const paths = new Set(changes.map(({ path }) => path));
  return {
    ...common,
    aboutReturn: [
      ...claims.findings,
      ...checkAccount(attempt),
      ...findings,
      ...(attempt.findings ?? []),
      ...notRun(step.unconfirmed),
    ],
    expectsChanges: step.role === 'fix' || classOf(task.agent) === 'implementing',
    repairs: attempt.repairs,
    hooks: changes.length === 0 ? undefined : await hooksFolder(attempt.repository),
    lines: lines.filter(({ path }) => paths.has(path)),
  };
}

/** Nothing has proved what these commands would have proved. */
function notRun(commands = 0): WorkFinding[] {
  if (commands === 0) return [];
  const fact = `${commands} acceptance command${commands === 1 ? '' : 's'} not run: no person has confirmed the plan`;
  return [finding('commands-not-run', { fact })];
}

/**
 * Only contracts with an acceptance check ask for an account of the criteria. Without a report, a command's exit code accounts
 * for its criterion.
 */
function checkAccount({ step, claims }: ReturnedWork): WorkFinding[] {
  if (claims.checks === undefined) return [];
  const hasReport = claims.findings.every(({ kind }) => kind !== 'no-report');
  const run = new Set(hasReport ? [] : step.commands.map(({ argv }) => commandKey(argv)));
  const isRun = (criterion: string): boolean => {
    const command = acceptCommand(criterion);
    return Array.isArray(command) && run.has(commandKey(command));
  };
  return checkCriteria(step.task.accept, claims.checks, isRun);
}

function depsOf(attempt: ReturnedWork | MergedWork): VerifyDeps {
  const { mode, run, step, repository, between, folder } = attempt;
  const name = attemptName(step.task.id, step.attempt);
  const isMerged = mode === 'merged';
  const outputs = new Map<string, number>();
  return {
    ignored: (asked) => (isMerged ? ignoredInCheckout(attempt, asked) : ignoredPaths(repository, folder, asked)),
    // In merged work, another task may have created again what this one deleted.
    kept: async (folders) => (isMerged ? new Set() : foldersAt(repository, between.commit, folders)),
    before: async (path) => (isMerged ? undefined : committedText(repository, between.base, path)),
    after: async (path) => committedText(repository, between.commit, path),
    renames: () => renamesBetween(repository, between.base, between.commit),
    run: (command, isAgain) => {
      const key = commandKey(command.argv);
      const number = outputs.get(key) ?? outputs.size + 1;
      outputs.set(key, number);
      const output = `${runFolder(run)}/checks/${name}/accept-${number}${isAgain ? '-again' : ''}.txt`;
      return attempt.check(command, isAgain, output);
    },
  };
}

/** Asks about each path as a folder too: a pattern such as `dist/` matches a missing path only then. */
async function ignoredInCheckout({ repository, folder }: AttemptFacts, paths: readonly string[]): Promise<Set<string>> {
  const ignored = await ignoredPaths(repository, folder, [...paths, ...paths.map((path) => `${path}/`)]);
  return new Set([...ignored].map((path) => path.replace(/\/$/, '')));
}

/** Path of a changed symlink → its target text, as it was committed: a link on disk may be another one by now. */
async function linkTargetsIn({
  repository,
  changes,
}: AttemptFacts & { readonly changes: readonly WorkChange[] }): Promise<ReadonlyMap<string, string>> {
  const links = changes.filter(({ mode, change }) => mode === linkMode && change !== 'deleted');
  const texts = await blobTexts(
    repository,
    links.flatMap(({ blob = [] }) => blob),
  );
  return new Map(links.flatMap(({ path, blob = '' }) => (texts.has(blob) ? [[path, texts.get(blob) ?? '']] : [])));
}
