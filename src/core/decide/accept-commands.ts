/** Lists the commands that Divisi runs itself: those of the config, and those of a plan that a person has seen in this form. */
import { acceptCommand } from '../../plan/values/accept-command.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

export interface AcceptCommand {
  readonly argv: readonly string[];
  readonly from: 'plan' | 'config';
}

/** Of all of these tasks, each once. */
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

/** How many commands of the plan are not run because no person has seen it as it is. */
export function unconfirmedCommands({ confirmed, created, tasks }: RunState): number {
  if (confirmed || created.workspace === undefined) return 0;
  const all = [...tasks.values()].flatMap(({ planned }) => planned.accept);
  return new Set(all.filter((criterion) => Array.isArray(acceptCommand(criterion)))).size;
}
