/**
 * Tells a check that cannot run here from a check that fails. A program that is missing says nothing about the work, and no agent
 * can install it for good: a person is asked, and no further attempt is paid for. Where the command was checked at the base, what
 * is missing there too is a fact; elsewhere it is guessed.
 */
import { causeAt } from '../base/error-cause.ts';
import { oneLine } from '../base/text.ts';
import type { AcceptCommand } from '../core/decide/accept-commands.ts';
import { commandKey } from '../base/command-key.ts';
import type { CommandRun, WorkFinding } from '../core/event/verification.ts';
import { isFailure } from '../core/event/work-findings.ts';
import { commandLine } from '../plan/values/command-words.ts';
import type { WorkChange } from './work.ts';

interface Judged {
  readonly commands: readonly CommandRun[];
  readonly findings: readonly WorkFinding[];
  readonly changes: readonly Pick<WorkChange, 'change'>[];
  /** What commands miss here as at the base, by `commandKey`. */
  readonly missing?: ReadonlyMap<string, string>;
  /** The commands as they were given. */
  readonly checked?: readonly AcceptCommand[];
  /** The scope of the task: what it names, the agent was to create. */
  readonly scope?: readonly string[];
}

/** How shells and `spawn` say that a program is missing or cannot be executed. */
const isMissingProgram = /^(?:could not start: |exit code 12[67]$)/;

/** Why the checks cannot run; undefined where they can, or where the work is to blame. */
export function whyChecksCannotRun(judged: Judged): string | undefined {
  const { commands, missing = new Map<string, string>(), checked = [], scope = [] } = judged;
  const failed = commands.filter(isFailure);
  const [first] = failed;
  if (first === undefined) return undefined;
  const known = new Set(checked.flatMap(({ argv, base }) => (isFact(base) ? [commandKey(argv)] : [])));
  const cannotRun = (ran: CommandRun): boolean => {
    const key = commandKey(ran.argv);
    if (!known.has(key)) return isMissingProgram.test(ran.end) && !isToBlame(judged);
    const part = missing.get(key);
    return part !== undefined && !isNamed(part, scope);
  };
  if (!failed.every(cannotRun)) return undefined;
  const lines = (first.tail ?? '').split('\n');
  const part = missing.get(commandKey(first.argv));
  const said =
    part === undefined
      ? oneLine(lines[causeAt(lines) ?? lines.length - 1] ?? '', 100)
      : `${oneLine(part, 100)} is missing`;
  const end = `${oneLine(first.end, 120)}${said === '' ? '' : `: ${said}`}`;
  return `\`${oneLine(commandLine(first.argv), 60)}\` cannot run in a room (${end}); install it, or let workspace.setup in the config install or build it, then \`divisi update\``;
}

const isFact = (base: AcceptCommand['base']): boolean => base !== undefined && base.result !== 'unknown';

/** Something else rejects the work, or it changed or deleted what the command may need. */
function isToBlame({ findings, changes }: Judged): boolean {
  return (
    findings.some(({ kind, rejects }) => kind === 'command-changed' || (rejects && kind !== 'acceptance-failed')) ||
    changes.some(({ change }) => change === 'deleted')
  );
}

/** `src/prices` and `prices.py` name `prices.parse`. */
function isNamed(part: string, scope: readonly string[]): boolean {
  const [name = part] = part.startsWith('@') ? [part] : part.split(/[./]/);
  return scope.some((path) => path.split('/').some((piece) => piece === name || piece.startsWith(`${name}.`)));
}
