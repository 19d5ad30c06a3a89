/** Lists the commands Divisi runs itself: the config's, and the plan's once a person has seen its current version. */
import { acceptCommand } from '../../plan/values/accept-command.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

export interface AcceptCommand {
  readonly argv: readonly string[];
  readonly from: 'plan' | 'config';
}

/** Commands of all these tasks, without duplicates. */
export function acceptCommandsOf({ created, confirmed }: RunState, tasks: readonly TaskState[]): AcceptCommand[] {
  const found = new Map<string, AcceptCommand>();
  const add = (argv: readonly string[], from: AcceptCommand['from']): void => {
    const key = argv.join('\0');
    if (!found.has(key)) found.set(key, { argv, from });
  };
  if (tasks.length > 0) for (const argv of created.workspace?.accept ?? []) add(argv, 'config');
  for (const { planned } of confirmed ? tasks : []) {
    for (const criterion of planned.accept) {
      const command = acceptCommand(criterion);
      if (Array.isArray(command)) add(command, 'plan');
    }
  }
  return [...found.values()];
}

/** Number of commands in the plan that do not run because no person has seen its current version. */
export function unconfirmedCommands({ confirmed, created, tasks }: RunState): number {
  if (confirmed || created.workspace === undefined) return 0;
  const all = [...tasks.values()].flatMap(({ planned }) => planned.accept);
  return new Set(all.filter((criterion) => Array.isArray(acceptCommand(criterion)))).size;
}
