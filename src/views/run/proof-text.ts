/** Proof text: renders a verification, in a few words for lines and in full for reports. */
import { oneLine } from '../../base/text.ts';
import type { CommandRun, Verification, WorkFinding } from '../../core/event/verification.ts';
import type { CheckRow } from '../../core/event/outcome.ts';
import { commandLine } from '../../plan/values/command-words.ts';
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

/** `verified: 2 files +10 −3, checks 2/2`. */
export function proofText({ verdict, changed, linesAdded, linesDeleted, commands, findings }: Proof): string {
  const diff = changeSize({ changed, linesAdded, linesDeleted });
  const passed = commands.filter(({ ok }) => ok).length;
  const checks = commands.length === 0 ? '' : `, checks ${passed}/${commands.length}`;
  const flags = findings.length === 0 ? '' : ` (${[...new Set(findings.map(({ kind }) => kind))].join(', ')})`;
  return `${verdict}${flags}: ${diff}${checks}`;
}

export interface FoundOut {
  readonly commands: readonly CommandRun[];
  readonly findings: readonly WorkFinding[];
}

/** One line for each command, and for each other finding. */
export function proofLines({ commands, findings }: FoundOut): string[] {
  const others = commands.length === 0 ? findings : findings.filter(({ kind }) => kind !== 'acceptance-failed');
  return [...commands.map(ranLine), ...others.map(findingText)];
}

/** `npm test` passed in 1.2 s. */
function ranLine({ argv, ok, end, milliseconds, output }: CommandRun): string {
  const took = shortDuration(milliseconds);
  return ok
    ? `${commandText(argv)} passed in ${took}`
    : `${commandText(argv)} failed in ${took}: ${oneLine(end, 160)}${output === undefined ? '' : ` (${oneLine(output, 200)})`}`;
}

export function findingText({ kind, claim, fact }: WorkFinding): string {
  const said = claim === undefined ? '' : `claimed: ${oneLine(claim, 300)}; found: `;
  return `${kind} – ${said}${oneLine(fact, 300)}`;
}

/** A row of an agent's acceptance check. */
export function checkText({ criterion, status, evidence }: CheckRow): string {
  const how = evidence === undefined || evidence === '' ? '' : ` (${oneLine(evidence, 200)})`;
  return `claimed ${status}: ${oneLine(criterion, 200)}${how}`;
}

/** `claims 2/3 criteria`. */
export function claimCount(checks: readonly CheckRow[]): string {
  return `claims ${checks.filter(({ status }) => status === 'pass').length}/${checks.length} criteria`;
}

/** Explains why commands in an unconfirmed plan are not run. */
export function unconfirmedText(commands: number): string {
  return `${counted(commands, 'command')} of the plan (a person has not confirmed it)`;
}
