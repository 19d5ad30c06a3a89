/**
 * Checks the files an agent claims to have touched against the real changes. A claim may name a file or a folder, and
 * either name of a rename. Files assigned to the agent (report, worklog) are not claims.
 */
import type { Contract } from '../../contracts/contract.ts';
import { foldersOf, liesWithin } from '../../base/paths.ts';
import type { Result } from '../../contracts/result.ts';
import type { WorkFinding } from '../../core/event/verification.ts';
import { coverOf } from './cover.ts';
import { finding, shortList } from '../../core/event/work-findings.ts';
import { renameExcuses } from './renames.ts';
import { spelled } from './spelled.ts';
import { featureFolder } from '../../core/features/feature-document.ts';
import type { WorkClaims, WorkChange } from '../work.ts';

type Touched = WorkClaims['touched'][number];

export interface ClaimFacts {
  readonly claims: WorkClaims;
  readonly changes: readonly WorkChange[];
  /** The report and the worklog. */
  readonly ownPaths: readonly string[];
  /** New path → old path of files with similar content. */
  readonly renames: ReadonlyMap<string, string>;
  /** The result of `unmet`, and which of its paths exist and which git ignores. */
  readonly open: readonly Touched[];
  readonly there: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

export function claimsOf(contract: Contract, result: Result): WorkClaims {
  const fields = Object.values(contract.fields);
  const hasActions = fields.some(({ is }) => is === 'files');
  const hasSummary = fields.some(({ is }) => is === 'summary');
  const hasFiles = fields.some(({ feeds }) => feeds === 'edited-files' || feeds === 'created-files');
  return {
    files: hasActions ? 'with-actions' : hasFiles ? 'changed' : 'none',
    touched: result.filesTouched,
    artifacts: result.artifacts.map(({ path }) => path),
    evidence: [...result.checks.flatMap(({ evidence }) => evidence ?? []), ...(hasSummary ? [result.summary] : [])],
  };
}

/** Expects paths from `spelled`. */
export function handedOut(ownPaths: readonly string[]): (path: string) => boolean {
  const own = new Set(ownPaths.map(spelled));
  return (path) => path.startsWith('.divisi/runs/') || liesWithin(path, featureFolder) || own.has(path);
}

function spelledClaims({ claims, ownPaths }: Pick<ClaimFacts, 'claims' | 'ownPaths'>): Touched[] {
  const isHandedOut = handedOut(ownPaths);
  return claims.touched
    .map(({ path, action }) => ({ path: spelled(path), action }))
    .filter(({ path }) => !isHandedOut(path));
}

type Given = Pick<ClaimFacts, 'claims' | 'changes' | 'ownPaths'>;

/**
 * Folders that the agent claims to have deleted and that lost at least one file. The caller finds out whether they
 * are empty.
 */
export function foldersSaidGone(facts: Given): string[] {
  const said = spelledClaims(facts).filter(({ action }) => action === 'delete');
  if (said.length === 0) return [];
  const deleted = facts.changes.filter(({ change }) => change === 'deleted').map(({ path }) => spelled(path));
  const above = new Set(deleted.flatMap(foldersOf));
  return [...new Set(said.map(({ path }) => path))].filter((path) => above.has(path));
}

/**
 * Claims that no change confirms. The caller finds out whether their paths exist or are ignored. `kept`: the folders
 * claimed to be deleted that still contain files.
 */
export function unmet(facts: Given, kept: ReadonlySet<string>): Touched[] {
  const { claims, changes, ownPaths } = facts;
  if (claims.files === 'none') return [];
  const deleted = new Set(foldersSaidGone(facts).filter((path) => !kept.has(path)));
  const left = new Set<string>();
  const above = new Set<string>(changes.length === 0 ? [] : ['.']);
  for (const { path, change } of changes) {
    const own = spelled(path);
    (change === 'deleted' ? deleted : left).add(own);
    for (const folder of foldersOf(own)) above.add(folder);
  }
  return spelledClaims({ claims, ownPaths }).filter(
    ({ path, action }) => !deleted.has(path) && (action === 'delete' || !(above.has(path) || left.has(path))),
  );
}

export function checkClaims(facts: ClaimFacts): WorkFinding[] {
  if (facts.claims.files === 'none') return [];
  return [...checkUnmet(facts), ...checkUnclaimed(facts)];
}

function checkUnmet({ open: claims, there, ignored }: ClaimFacts): WorkFinding[] {
  const made = new Set(claims.filter(({ action }) => action !== 'delete').map(({ path }) => path));
  const gone = new Set(claims.filter(({ action }) => action === 'delete').map(({ path }) => path));
  // Created and deleted again: both were claimed and no trace is left.
  const open = claims.filter(({ path }) => there.has(path) || !made.has(path) || !gone.has(path));
  const isIgnored = ({ path, action }: Touched): boolean =>
    ignored.has(path) && there.has(path) === (action !== 'delete');
  const wrong = open.filter((claim) => !isIgnored(claim));
  const stays = wrong.filter(({ path }) => there.has(path));
  return [
    ...about(
      'claimed-unchanged',
      stays.filter(({ action }) => action !== 'delete'),
      'unchanged',
    ),
    ...about(
      'claimed-unchanged',
      stays.filter(({ action }) => action === 'delete'),
      'still there',
    ),
    ...about(
      'claimed-unchanged',
      wrong.filter(({ path }) => !there.has(path)),
      'neither on disk nor in the changes',
    ),
    ...about('claimed-ignored', open.filter(isIgnored), 'ignored by git, so not part of the work'),
  ];
}

const pastTense = { create: 'created', edit: 'edited', delete: 'deleted', rename: 'renamed' } as const;

function about(kind: 'claimed-unchanged' | 'claimed-ignored', claims: readonly Touched[], fact: string): WorkFinding[] {
  if (claims.length === 0) return [];
  return [
    finding(kind, {
      claim: shortList(claims.map(({ path, action }) => `${pastTense[action]} ${path}`)),
      fact: `${claims.length > 1 ? 'they are' : 'it is'} ${fact}`,
      paths: claims.map(({ path }) => path),
    }),
  ];
}

function checkUnclaimed(facts: ClaimFacts): WorkFinding[] {
  const { claims } = facts;
  const touched = spelledClaims(facts);
  const isHandedOut = handedOut(facts.ownPaths);
  const isClaimed = coverOf([...touched.map(({ path }) => path), ...claims.artifacts.map(spelled)]);
  // A contract without "deleted" reports a deleted file as changed.
  const deleting = touched.filter(
    ({ action }) => claims.files === 'changed' || action === 'delete' || action === 'rename',
  );
  const isDeletionClaimed = coverOf(deleting.map(({ path }) => path));
  const changes = facts.changes
    .map((one) => ({ ...one, path: spelled(one.path) }))
    .filter(({ path }) => !isHandedOut(path));
  const open = changes.filter(({ path, change }) => !(change === 'deleted' ? isDeletionClaimed : isClaimed)(path));
  const excused = renameExcuses(touched, changes, open, facts.renames);
  const left = open.filter(({ path }) => !excused.has(path));
  const deleted = left.filter(({ change }) => change === 'deleted').map(({ path }) => path);
  const changed = left.filter(({ change }) => change !== 'deleted').map(({ path }) => path);
  return [
    ...(deleted.length === 0 ? [] : [finding('deleted-unclaimed', { ...saidOf(touched, deleted), paths: deleted })]),
    ...(changed.length === 0
      ? []
      : [finding('changed-unclaimed', { fact: `changed but not reported: ${shortList(changed)}`, paths: changed })]),
  ];
}

/** If the agent claimed something else about a deleted path, that is the claim. */
function saidOf(touched: readonly Touched[], deleted: readonly string[]): { claim?: string; fact: string } {
  const gone = new Set(deleted);
  const said = touched.filter(({ path }) => gone.has(path)).map(({ path, action }) => `${pastTense[action]} ${path}`);
  return {
    ...(said.length === 0 ? {} : { claim: shortList(said) }),
    fact: `deleted but not reported: ${shortList(deleted)}`,
  };
}
