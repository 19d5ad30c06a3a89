/**
 * Tells a check that cannot run here from a check that fails. A program that is missing says nothing about the work, and no agent
 * can install it for good: a person is asked, and no further attempt is paid for.
 */
import { causeAt } from '../base/error-cause.ts';
import { oneLine } from '../base/text.ts';
import type { CommandRun, WorkFinding } from '../core/event/verification.ts';
import { commandLine } from '../plan/values/command-words.ts';
import type { WorkChange } from './work.ts';

interface Judged {
  readonly commands: readonly CommandRun[];
  readonly findings: readonly WorkFinding[];
  readonly changes: readonly Pick<WorkChange, 'change'>[];
}

/** How shells and `spawn` say that a program is missing or cannot be executed. */
const isMissingProgram = /^(?:could not start: |exit code 12[67]$)/;

/**
 * Why the checks cannot run; undefined where they can, or where the work is to blame: something else rejects it, or it changed or
 * deleted what the command may need.
 */
export function whyChecksCannotRun({ commands, findings, changes }: Judged): string | undefined {
  const failed = commands.filter(({ ok }) => !ok);
  const [first] = failed;
  if (first === undefined || !failed.every(({ end }) => isMissingProgram.test(end))) return undefined;
  const isToBlame =
    findings.some(({ kind, rejects }) => kind === 'command-changed' || (rejects && kind !== 'acceptance-failed')) ||
    changes.some(({ change }) => change === 'deleted');
  if (isToBlame) return undefined;
  const lines = (first.tail ?? '').split('\n');
  const said = oneLine(lines[causeAt(lines) ?? lines.length - 1] ?? '', 100);
  const end = `${oneLine(first.end, 120)}${said === '' ? '' : `: ${said}`}`;
  return `\`${oneLine(commandLine(first.argv), 60)}\` cannot run in a room (${end}); install it, or \`divisi cancel\`, add workspace.setup to the config and run the plan again`;
}
