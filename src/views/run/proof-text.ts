/** Proof text: renders a verification, in a few words for lines and in full for reports. */
import { oneLine } from '../../base/text.ts';
import type { CommandRun, Unattributed, Verification, WorkFinding } from '../../core/event/verification.ts';
import type { CheckRow } from '../../core/event/outcome.ts';
import { shortList } from '../../core/event/work-findings.ts';
import { commandLine, shellWord } from '../../plan/values/command-words.ts';
import { rejectionText } from '../../core/event/work-findings.ts';
import { counted, shortDuration } from '../text/quantity.ts';

/** A verification without its list of files. */
export type Proof = Omit<Verification, 'changes'>;

export function commandText(argv: readonly string[]): string {
  return `\`${oneLine(commandLine(argv), 80)}\``;
}

/** `2 files +10 −3`. */
export function changeSize({
  changed,
  linesAdded,
  linesDeleted,
}: Pick<Proof, 'changed' | 'linesAdded' | 'linesDeleted'>): string {
  return changed === 0 ? 'nothing changed' : `${counted(changed, 'file')} +${linesAdded} −${linesDeleted}`;
}

/** `verified: 2 files +10 −3, checks 2/2`. `since`: files that were changed after that. */
export function proofText(
  { verdict, changed, linesAdded, linesDeleted, commands, findings, environment }: Proof,
  since: readonly string[] = [],
): string {
  const diff = changeSize({ changed, linesAdded, linesDeleted });
  const passed = commands.filter(({ ok }) => ok).length;
  const red = commands.filter(({ note }) => note === 'known-red').length;
  const known = red === 0 ? '' : ` (${red} known-red)`;
  const checks = commands.length === 0 ? '' : `, checks ${passed}/${commands.length}${known}`;
  const flags = findings.length === 0 ? '' : ` (${[...new Set(findings.map(({ kind }) => kind))].join(', ')})`;
  // No verdict on the work: a person has to make its checks run.
  if (environment !== undefined) return `not checked (environment): ${diff}; ${oneLine(environment, 160)}`;
  return since.length === 0 ? `${verdict}${flags}: ${diff}${checks}` : `${verdict}${flags}, ${thenChanged(since)}`;
}

/** Why work is not taken: `rejected: …`, or that its checks cannot run here. */
export function rejectedText({ environment, findings }: Pick<Proof, 'environment' | 'findings'>): string {
  if (environment !== undefined) return `not checked (environment): ${oneLine(environment, 300)}`;
  return `rejected: ${oneLine(rejectionText({ findings }), 300)}`;
}

/** `then changed: src/x.ts`. */
export function thenChanged(paths: readonly string[]): string {
  return `then changed: ${shortList(paths)}`;
}

/** One line for the whole run. */
export function unattributedText(found: readonly Unattributed[]): string {
  const tasks = [...new Set(found.flatMap((one) => one.tasks))];
  return `changed while ${shortList(tasks)} were at work, nothing says by whom: ${shortList(found.map(({ path }) => path))}`;
}

export interface FoundOut {
  readonly commands: readonly CommandRun[];
  readonly findings: readonly WorkFinding[];
}

/** One line for each command, and for each other finding. */
export function proofLines({ commands, findings }: FoundOut): string[] {
  const others = commands.length === 0 ? findings : findings.filter(({ kind }) => kind !== 'acceptance-failed');
  return [...commands.map(ranLine), ...others.flatMap((one) => [findingText(one), ...diffLines(one)])];
}

/** `npm test` passed in 1.2 s. */
function ranLine({ argv, ok, end, milliseconds, output, note }: CommandRun): string {
  const took = shortDuration(milliseconds);
  return ok
    ? `${commandText(argv)} passed in ${took}${note === 'flaky' ? ', after it had failed' : ''}`
    : `${commandText(argv)} ${note === 'known-red' ? 'is known-red and failed' : 'failed'} in ${took}: ${oneLine(end, 160)}${output === undefined ? '' : ` (${oneLine(output, 200)})`}`;
}

export function findingText({ kind, claim, fact }: WorkFinding): string {
  const said = claim === undefined ? '' : `claimed: ${oneLine(claim, 300)}; found: `;
  return `${kind} – ${said}${oneLine(fact, 300)}`;
}

const diffLines = ({ diff = [] }: WorkFinding): string[] => diff.map((line) => `  ${oneLine(line, 200)}`);

/** A row of an agent's acceptance check. */
export function checkText({ criterion, status, evidence }: CheckRow): string {
  const how = evidence === undefined || evidence === '' ? '' : ` (${oneLine(evidence, 200)})`;
  return `claimed ${status}: ${oneLine(criterion, 200)}${how}`;
}

/** `claims 2/3 criteria`. */
export function claimCount(checks: readonly CheckRow[]): string {
  return `claims ${checks.filter(({ status }) => status === 'pass').length}/${checks.length} criteria`;
}

/** Explains why commands in an unconfirmed plan are not run, and which command a person types to allow them. */
export function unconfirmedText(commands: number, { run, status, plan }: UnconfirmedRun): string {
  const how = status === 'completed' ? `\`divisi verify ${run}\` runs` : `\`divisi run ${shellWord(plan)}\` allows`;
  const them = commands === 1 ? 'it' : 'them';
  return `${counted(commands, 'command')} of the plan (no person has confirmed it; ${how} ${them}, typed in a terminal)`;
}

interface UnconfirmedRun {
  readonly run: string;
  readonly status: string;
  /** Path of its file. */
  readonly plan: string;
}
