/**
 * Owns findings: which kinds reject the work, the verdict, and their wording for people and for the next attempt.
 * Agents' words enter a finding only through here: redacted, on one line, cut.
 */
import { flatten, oneLine, redactedLine } from '../../base/text.ts';
import { causeAt } from '../../base/error-cause.ts';
import { redact } from '../../base/redact.ts';
import type { CommandRun, FindingKind, Verification, VerificationVerdict, WorkFinding } from './verification.ts';
import { commandLine } from '../../plan/values/command-words.ts';

/** Definite faults go back to the agent; what may have a good reason is accepted and reported. */
const rejecting: Readonly<Record<FindingKind, boolean>> = {
  'claimed-unchanged': true,
  'claimed-ignored': false,
  'changed-unclaimed': false,
  'deleted-unclaimed': true,
  'outside-scope': true,
  forbidden: true,
  'own-files': true,
  steering: true,
  // Not merged before a person has seen the diff.
  'steering-in-scope': false,
  'instructs-agents': false,
  'link-leads-out': true,
  'embedded-repository': true,
  'submodule-changed': true,
  'room-gone': true,
  'repository-changed': true,
  'files-refused': true,
  'commit-gone': true,
  'files-gone': true,
  'files-changed': false,
  'artifact-missing': true,
  'artifact-empty': true,
  'artifact-outside': true,
  'artifact-ignored': false,
  'acceptance-failed': true,
  flaky: false,
  'outside-room': false,
  'criterion-unaccounted': false,
  'no-report': false,
  'command-changed': false,
  repaired: false,
  placeholder: false,
  'copied-example': false,
  'no-tools-used': false,
  'empty-diff': false,
  'evidence-unknown': false,
  'tests-removed': false,
  'tests-skipped': false,
  'conflict-markers': false,
  secret: true,
  'secret-likely': false,
  'not-all-seen': false,
  unattributed: false,
  'commands-not-run': false,
};

const mostText = 300;
const mostPaths = 50;
const mostPath = 200;
const mostDiffLine = 200;
const mostEvidence = 2000;
const mostTail = 700;

export interface FindingFacts {
  readonly claim?: string;
  readonly fact: string;
  readonly paths?: readonly string[];
  readonly diff?: readonly string[];
}

export function finding(kind: FindingKind, { claim, fact, paths = [], diff }: FindingFacts): WorkFinding {
  return {
    kind,
    rejects: rejecting[kind],
    ...(claim === undefined ? {} : { claim: safe(claim, mostText) }),
    fact: safe(fact, mostText),
    paths: paths.slice(0, mostPaths).map((path) => safe(path, mostPath)),
    ...(diff === undefined ? {} : { diff: diff.map((line) => safe(line, mostDiffLine)) }),
  };
}

/**
 * Redacts twice: a key over several lines is recognised by its lines, one that a control character splits only
 * without it.
 */
function safe(text: string, most: number): string {
  return redactedLine(redactedLine(text.slice(0, most * 8)), most);
}

/** The first few items, and the number of the others. */
export function shortList(items: readonly string[], most = 5): string {
  const shown = items.slice(0, most).map((item) => pathText(oneLine(item, 80)));
  const rest = items.length - shown.length;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`;
}

/** Prefix of a path in the repository but outside the project. */
export const aboveProject = ':/';

function pathText(item: string): string {
  return item.startsWith(aboveProject) ? `${item.slice(2)} (outside the project)` : item;
}

export interface Place {
  readonly path: string;
  readonly line: number;
}

/** No finding without places. */
export function findingAt(
  kind: FindingKind,
  what: string,
  places: readonly (Place & { readonly note?: string })[],
): WorkFinding[] {
  if (places.length === 0) return [];
  const shown = places.map(({ path, line, note }) => `${path}:${line}${note === undefined ? '' : ` (${note})`}`);
  return [
    finding(kind, { fact: `${what} at ${shortList(shown)}`, paths: [...new Set(places.map(({ path }) => path))] }),
  ];
}

export function verificationVerdict(findings: readonly WorkFinding[]): VerificationVerdict {
  if (findings.some(({ rejects }) => rejects)) return 'rejected';
  return findings.length === 0 ? 'verified' : 'degraded';
}

/** Keeps the order otherwise. */
export function rejectingFirst(findings: readonly WorkFinding[]): WorkFinding[] {
  return [...findings.filter(({ rejects }) => rejects), ...findings.filter(({ rejects }) => !rejects)];
}

export function findingLine({ kind, claim, fact }: WorkFinding): string {
  return claim === undefined ? `${kind}: ${fact}` : `${kind}: claimed ${claim}; in fact ${fact}`;
}

/** Why work was rejected, on one line: each claim with the fact that contradicts it. */
export function rejectionText({ findings }: Pick<Verification, 'findings'>): string {
  const lines = findings
    .filter(({ rejects }) => rejects)
    .map(({ claim, fact }) =>
      claim === undefined ? oneLine(fact, 600) : `claimed: ${oneLine(claim, 300)}; found: ${oneLine(fact, 600)}`,
    );
  return lines.join(' · ').slice(0, mostEvidence);
}

/** Evidence for the next attempt: one line for each finding and each failed command, within a fixed budget. */
export function evidenceText({ findings, commands }: Pick<Verification, 'findings' | 'commands'>): string {
  const failed = commands.filter(isFailure);
  const shown = rejectingFirst(findings).filter(({ kind }) => kind !== 'acceptance-failed' || failed.length === 0);
  const rejected = shown.filter(({ rejects }) => rejects).map((one) => `- must be fixed: ${findingLine(one)}`);
  const flagged = shown.filter(({ rejects }) => !rejects).map((one) => `- worth checking: ${findingLine(one)}`);
  return withinBudget([...rejected, ...failed.map(failedLine), ...flagged]);
}

/** A known-red command that fails as at the base is not the agent's failure. */
export function isFailure({ ok, note }: Pick<CommandRun, 'ok' | 'note'>): boolean {
  return !ok && note !== 'known-red';
}

function failedLine({ argv, end, tail }: CommandRun): string {
  const command = safe(commandLine(argv), mostText);
  return `- must be fixed: the command ${command}: ${safe(end, mostText)}${tail === undefined ? '' : outputText(tail)}`;
}

/** The output from the line with the cause on, else its last lines. */
function outputText(tail: string): string {
  const lines = tail.split('\n');
  const cause = causeAt(lines);
  const text = redact(flatten(lines.slice(cause ?? 0).join('\n'))).text;
  if (text === '') return '';
  if (cause !== undefined) return `; its error: ${oneLine(text, mostTail)}`;
  return `; its last lines: ${text.length <= mostTail ? text : `…${text.slice(1 - mostTail).toWellFormed()}`}`;
}

function withinBudget(lines: readonly string[]): string {
  const kept: string[] = [];
  let room = mostEvidence - '\n- and 9999 more'.length;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  return [...kept, ...(left === 0 ? [] : [`- and ${left} more`])].join('\n');
}
