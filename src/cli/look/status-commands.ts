/** `divisi status`: shows the commands of a run that run now: the task, what its command is for, and for how long it has run. */
import { defined } from '../../base/defined.ts';
import { oneLine, redactedLine } from '../../base/text.ts';
import type { RunState } from '../../core/state/state.ts';
import type { CommandPurpose, RunningCommand } from '../../process/running-command.ts';
import { shortDuration } from '../../views/text/quantity.ts';

/** Everything in it is data: an agent can forge one. */
type Note = Omit<RunningCommand, 'run'>;

export interface CommandAtWork {
  readonly purpose: CommandPurpose;
  /** Absent for a command that belongs to no task, such as a check of merged work. */
  readonly task?: string;
  /** The name of such a check. */
  readonly check?: string;
  readonly command: string;
  readonly since: number;
}

export function commandReports(state: RunState, notes: readonly Note[]): CommandAtWork[] {
  const all = [...state.tasks.values(), ...state.gateTasks.values()];
  const tasks = new Map<string, string>(
    all.flatMap(({ planned, attempt }) => (attempt === null ? [] : [[attempt.delegation, planned.id]])),
  );
  return notes.map(({ purpose, of, command, since }) => {
    const task = tasks.get(of);
    const about = task === undefined ? defined({ check: checkName(of) }) : { task };
    return { purpose, ...about, command: redactedLine(command, 200), since };
  });
}

/**
 * `check:wave-1` is the check of that wave's merged work, `again-…` that of `divisi verify`. The canary and the set-up before the first
 * delegation have no name.
 */
function checkName(of: string): string | undefined {
  if (of === '' || of === 'set-up' || of === 'canary') return undefined;
  return of.startsWith('again-') ? 'divisi verify' : redactedLine(of.replace(/^check:/, ''), 100);
}

const doing = {
  'set-up': 'setting up',
  acceptance: 'verifying',
  canary: 'canary',
  teardown: 'tearing down',
} as const;

/** `1.2 verifying: npm test (2 min 10 s)`. */
export function commandLines(commands: readonly CommandAtWork[], now: number): string[] {
  return commands.map(({ purpose, task, check = '', command, since }) => {
    const of = task ?? check;
    return `${of === '' ? '' : `${oneLine(of, 100)} `}${doing[purpose]}: ${command} (${shortDuration(Math.max(0, now - since))})`;
  });
}
