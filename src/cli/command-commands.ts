/** The commands about numbered tasks: what they are called, what they take. */
import type { Command } from 'commander';
import type { CommandName } from '../routing/command-routing.ts';
import { answer, command } from './define-command.ts';
import type { TaskCommandOptions } from './task-command.ts';

const exits =
  '\nExit codes: 0 completed, 1 not accepted, failed or blocked, 2 usage or refused, 3 paused or partial (the same command goes on), 4 cancelled.\n';

/** `plan` takes a description as well: it stands beside `run`. */
const commands: readonly (readonly [Exclude<CommandName, 'plan'>, string, string])[] = [
  ['research', 'have a numbered task looked into', 'tutti research 12 "compare the two libraries"'],
  ['implement', 'have a numbered task done, phase by phase where it has a plan', 'tutti implement 12'],
  ['revise', 'have the plan of a numbered task revised', 'tutti revise 12 "leave the migration out"'],
  ['review', 'have the work on a numbered task reviewed', 'tutti review 12'],
];

export function addTaskCommands(program: Command): void {
  for (const [name, description, example] of commands) {
    withTaskOptions(command(program, `${name} <number> [prompt...]`, description, example))
      .option('--driver <name>', 'the driver that runs the agent')
      .option('--new', 'begin anew, even if there is something to go on with')
      .addHelpText('after', exits)
      .action(async (number: string, prompt: string[], options: TaskCommandOptions) =>
        answer(options, async (project) =>
          (await import('./task-command.ts')).taskCommand(project, name, [number, ...prompt], options),
        ),
      );
  }
}

export function withTaskOptions(target: Command): Command {
  return target
    .option('--timeout <seconds>', 'how long the agent of a numbered task may take')
    .option('--language <name>', 'choose its agent by this language, whatever the files say')
    .option('--dry-run', 'only say what would be delegated, to whom and why');
}
