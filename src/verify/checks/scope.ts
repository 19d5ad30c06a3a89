/**
 * Checks that changes stay in the task's scope. A path covers itself and everything below it; an empty scope is the
 * whole project. Divisi's own files and git's are off limits whatever the scope says. Each change is reported once,
 * with its most serious fault.
 */
import { posix } from 'node:path';
import { leadsOut } from '../../base/paths.ts';
import type { FindingKind, WorkFinding } from '../../core/event/verification.ts';
import { coverOf } from './cover.ts';
import { aboveProject, finding, shortList } from '../../core/event/work-findings.ts';
import { spelled } from './spelled.ts';
import { linkMode, repositoryMode, type WorkChange } from '../work.ts';

export interface ScopeFacts {
  readonly changes: readonly WorkChange[];
  readonly scope: readonly string[];
  readonly forbidden: readonly string[];
  /** The run's plan; absent if it is outside the project. */
  readonly planFile?: string | undefined;
  /** Paths in Divisi's own folder that this task may write, besides its scope. */
  readonly extraWritablePaths?: readonly string[] | undefined;
  readonly ownPaths: readonly string[];
  /** Path of a changed symlink → its target text. */
  readonly linkTargets: ReadonlyMap<string, string>;
}

const neverAnAgents = coverOf(['.divisi/plans', '.divisi/runs', '.divisi/config.yaml']);

const about: Readonly<Record<Fault, string>> = {
  'own-files': 'changed files that belong to Divisi or git',
  forbidden: 'changed forbidden files',
  'outside-scope': 'changed files outside the scope',
  'submodule-changed': 'changed files of a submodule, where commits are not carried back',
  'embedded-repository': 'a nested repository, whose files are not part of the work',
  'link-leads-out': 'a symlink that leads out of the project',
};

const faults = [
  'own-files',
  'forbidden',
  'submodule-changed',
  'outside-scope',
  'embedded-repository',
  'link-leads-out',
] as const;
type Fault = (typeof faults)[number] & FindingKind;

export function checkScope(facts: ScopeFacts): WorkFinding[] {
  const faultOf = judge(facts);
  const found = new Map<Fault, string[]>();
  for (const one of facts.changes) {
    const fault = faultOf(one);
    if (fault === undefined) continue;
    const paths = found.get(fault);
    if (paths === undefined) found.set(fault, [one.path]);
    else paths.push(one.path);
  }
  return faults.flatMap((fault) => {
    const paths = found.get(fault);
    if (paths === undefined) return [];
    const scope = fault === 'outside-scope' && facts.scope.length > 0 ? ` ${shortList(facts.scope)}` : '';
    return [finding(fault, { fact: `${about[fault]}${scope}: ${shortList(paths)}`, paths })];
  });
}

function judge({
  scope,
  forbidden,
  extraWritablePaths = [],
  planFile,
  ownPaths,
  linkTargets,
}: ScopeFacts): (one: WorkChange) => Fault | undefined {
  const handedOut = new Set(ownPaths.map(spelled));
  const isForbidden = coverOf(forbidden.map(spelled));
  const isInScope = scope.length === 0 ? () => true : coverOf([...scope, ...extraWritablePaths].map(spelled));
  const own = scope.filter((path) => path === '.divisi' || path.startsWith('.divisi/'));
  const isWritable = coverOf([...own, ...extraWritablePaths]);
  const plan = planFile === undefined ? undefined : spelled(planFile);
  return ({ path: asIs, change, mode, isInSubmodule }) => {
    if (isInSubmodule === true) return 'submodule-changed';
    if (asIs.startsWith(aboveProject)) return 'outside-scope';
    const path = spelled(asIs);
    if (handedOut.has(path)) return undefined;
    if (path === plan || (isOwn(path) && !(isWritable(path) && !isNeverWritable(path)))) return 'own-files';
    if (isForbidden(path)) return 'forbidden';
    if (!isInScope(path)) return 'outside-scope';
    if (change === 'deleted') return undefined;
    if (mode === repositoryMode) return 'embedded-repository';
    return mode === linkMode && linkLeadsOut(path, linkTargets.get(asIs)) ? 'link-leads-out' : undefined;
  };
}

/** Some file systems treat `.Git` as `.git`. */
function isOwn(path: string): boolean {
  const [first, ...rest] = path.toLowerCase().split('/');
  return first === '.divisi' || first === '.git' || rest.includes('.git');
}

function isNeverWritable(path: string): boolean {
  const lower = path.toLowerCase();
  return neverAnAgents(lower) || lower.split('/').includes('.git');
}

/**
 * Judges the target's text alone, which holds wherever the work is checked out. Folders above a changed file are
 * real; `..` after a name may pass through another link, so it counts as leading out.
 */
function linkLeadsOut(path: string, target: string | undefined): boolean {
  if (target === undefined || /^(?:[/\\~]|[A-Za-z]:|$)/.test(target)) return true;
  const parts = target.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  const firstName = parts.findIndex((part) => part !== '..');
  if (firstName !== -1 && parts.includes('..', firstName)) return true;
  const way = posix.join(posix.dirname(path), ...parts);
  return leadsOut(way) || way.toLowerCase().split('/').includes('.git');
}
