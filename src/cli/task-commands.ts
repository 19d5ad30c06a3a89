/** The commands that give a backlog task to an agent: what they are called, what they take. `plan` is among those about runs. */
import type { Command } from 'commander';
import type { CommandName } from '../routing/command-routing.ts';
import { answer, command } from './define-command.ts';
import type { TaskCommandOptions } from './task/task-command.ts';

const exits =
  '\nExit codes: 0 completed, 1 not accepted, failed or blocked, 2 usage or refused, 3 paused or partial (the same command goes on), 4 cancelled.\n';

const commands: readonly (readonly [CommandName, string, string])[] = [
  ['research', 'have a backlog task looked into', 'divisi research 12 "compare the two libraries"'],
  ['implement', 'have a backlog task done, phase by phase where it has a plan', 'divisi implement 12'],
  ['revise', 'have the plan of a backlog task revised', 'divisi revise 12 "leave the migration out"'],
  ['review', 'have the work on a backlog task reviewed', 'divisi review 12'],
];

export function addTaskCommands(program: Command): void {
  for (const [name, description, example] of commands) {
    command(program, `${name} <number> [prompt...]`, description, example)
      .option('--timeout <seconds>', 'how long the agent may take')
      .option('--driver <name>', 'the driver that runs the agent')
      .option('--language <name>', 'choose the agent by this language, whatever the files say')
      .option('--new', 'begin anew, even if there is something to go on with')
      .option('--dry-run', 'only say what would be delegated, to whom and why')
      .addHelpText('after', exits)
      .action(async (number: string, prompt: string[], options: TaskCommandOptions) =>
        answer(options, async (project) =>
          (await import('./task/task-command.ts')).taskCommand(project, name, [number, ...prompt], options),
        ),
      );
  }
}
