/** What was verified about a task and how, in a few words: for lines, status and summaries. */
import { oneLine } from '../contracts/flatten.ts';
import type { Verification } from '../core/verification.ts';
import { counted } from './counted.ts';

export function commandText(argv: readonly string[]): string {
  return `\`${oneLine(argv.join(' '), 80)}\``;
}

/** `verified: 2 files +10 −3, checks 2/2`. */
export function proofText({ verdict, changed, linesAdded, linesDeleted, commands, findings }: Verification): string {
  const diff = changed === 0 ? 'nothing changed' : `${counted(changed, 'file')} +${linesAdded} −${linesDeleted}`;
  const passed = commands.filter(({ ok }) => ok).length;
  const checks = commands.length === 0 ? '' : `, checks ${passed}/${commands.length}`;
  const flags = findings.length === 0 ? '' : ` (${[...new Set(findings.map(({ kind }) => kind))].join(', ')})`;
  return `${verdict}${flags}: ${diff}${checks}`;
}
