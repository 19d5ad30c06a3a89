/** Lists the commands Divisi runs itself: the config's, and the plan's once a person has seen its current version. */
import { acceptCommand } from '../../plan/values/accept-command.ts';
import { workspaceOf } from '../state/current-workspace.ts';
import type { BaseCheck } from '../event/base-check.ts';
import { commandKey } from '../../base/command-key.ts';
import { baseCheckOf, isRed, updatesOf } from '../state/base-checks.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

export interface AcceptCommand {
  readonly argv: readonly string[];
  readonly from: 'plan' | 'config';
  /** Absent where it was not checked at the base of the run. */
  readonly base?: BaseCheck;
  /** Red at the base, as a person knows: it rejects work only for a failure that the base does not have. */
  readonly isKnownRed?: true;
}

/** Commands of all these tasks, without duplicates. `updates`: those the run had had when the work began. */
export function acceptCommandsOf(
  state: RunState,
  tasks: readonly TaskState[],
  updates: number = updatesOf(state),
): AcceptCommand[] {
  const found = new Map<string, AcceptCommand>();
  const add = (argv: readonly string[], from: AcceptCommand['from']): void => {
    const key = argv.join('\0');
    if (!found.has(key)) found.set(key, { argv, from, ...atBase(state, argv, from, updates) });
  };
  if (tasks.length > 0) for (const argv of workspaceOf(state)?.accept ?? []) add(argv, 'config');
  for (const { planned } of state.confirmed ? tasks : []) {
    for (const criterion of planned.accept) {
      const command = acceptCommand(criterion);
      if (Array.isArray(command)) add(command, 'plan');
    }
  }
  return [...found.values()];
}

function atBase(
  state: RunState,
  argv: readonly string[],
  from: AcceptCommand['from'],
  updates: number,
): Pick<AcceptCommand, 'base' | 'isKnownRed'> {
  const base = baseCheckOf(state, argv, updates);
  if (base === undefined) return {};
  // An update is an answer, too.
  const isAnswered = state.knownRed.has(commandKey(argv)) || updates < updatesOf(state);
  return from === 'config' && isRed(base) && isAnswered ? { base, isKnownRed: true } : { base };
}

/** Number of commands in the plan, or of these tasks, that do not run because no person has seen its current version. */
export function unconfirmedCommands(
  { confirmed, created, tasks }: RunState,
  of: Iterable<TaskState> = tasks.values(),
): number {
  if (confirmed || created.workspace === undefined) return 0;
  const all = [...of].flatMap(({ planned }) => planned.accept);
  return new Set(all.filter((criterion) => Array.isArray(acceptCommand(criterion)))).size;
}
