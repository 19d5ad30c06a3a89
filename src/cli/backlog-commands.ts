/** Defines the commands for backlog tasks: those that edit the task list, and those that hand a task to an agent. */
import type { Command } from 'commander';
import type { CommandName } from '../routing/command-routing.ts';
import { answer, type CliCommands, command, group, type JsonOption } from './define-command.ts';
import type { AddOptions, ListOptions, ReasonOptions } from './task/task.ts';
import type { TaskCommandOptions } from './task/task-command.ts';
import type { TodoOptions } from './task/todo.ts';

const whereTheyAre = '\nTasks are kept in TODO.md and state.json. You can edit both; your edits are read first.\n';
const whereTheyGo = `
Moves their entries from TODO.md and state.json to archive/TODO.md beside the task folders. \`divisi task list --all\` still lists them.
`;
const exits =
  '\nExit codes: 0 completed, 1 failed, blocked or not accepted, 2 usage or refused, 3 paused or partial (run the same command to continue), 4 cancelled.\n';

function addTask(program: Command): void {
  const task = group(
    program,
    'task',
    'manage the backlog tasks of this project',
    'divisi task add "Refactor the context"',
  );
  addLooks(task);
  addChanges(task);
}

function addLooks(task: Command): void {
  command(task, 'list', 'list the tasks by number', 'divisi task list --status planned')
    .option('--status <status>', 'list only tasks with this status')
    .option('--all', 'include archived tasks')
    .addHelpText('after', whereTheyAre)
    .action(async (options: ListOptions) =>
      answer(options, async (project) => (await import('./task/task.ts')).taskList(project, options)),
    );
  command(task, 'show <number>', 'show a task and its history', 'divisi task show 12').action(
    async (number: string, options: JsonOption) =>
      answer(options, async (project) => (await import('./task/task-show.ts')).taskShow(project, number)),
  );
}

function addChanges(task: Command): void {
  command(task, 'add <title>', 'add a task', 'divisi task add "Refactor the context" --language typescript')
    .option('--description <text>', 'longer description')
    .option('--language <language>', 'language that selects its agents; default: general')
    .option('--effort <effort>', 'estimate, such as "4 hours"')
    .option('--priority <priority>', 'priority, such as high')
    .addHelpText('after', whereTheyAre)
    .action(async (title: string, options: AddOptions) =>
      answer(options, async (project) => (await import('./task/task.ts')).taskAdd(project, title, options)),
    );
  command(task, 'block <number>', 'mark a task as blocked', 'divisi task block 12 --reason "no access yet"')
    .requiredOption('--reason <text>', 'what it waits for')
    .action(async (number: string, options: ReasonOptions) =>
      answer(options, async (project) => (await import('./task/task.ts')).taskBlock(project, number, options)),
    );
  command(task, 'abandon <number>', 'abandon a task', 'divisi task abandon 12 --reason "no longer needed"')
    .option('--reason <text>', 'why it is abandoned')
    .action(async (number: string, options: ReasonOptions) =>
      answer(options, async (project) => (await import('./task/task.ts')).taskAbandon(project, number, options)),
    );
  command(
    task,
    'expand <number> <parts...>',
    'split a task: each part becomes a task',
    'divisi task expand 12 "Read the config" "Write the config"',
  ).action(async (number: string, parts: string[], options: JsonOption) =>
    answer(options, async (project) => (await import('./task/task.ts')).taskExpand(project, number, parts)),
  );
}

function addTodo(program: Command): void {
  command(program, 'todo', 'archive completed, abandoned and expanded tasks', 'divisi todo --dry-run')
    .option('--dry-run', 'show what would be archived')
    .addHelpText('after', whereTheyGo)
    .action(async (options: TodoOptions) =>
      answer(options, async (project) => (await import('./task/todo.ts')).todo(project, options)),
    );
}

function addTaskCommand(name: CommandName, description: string, example: string): (program: Command) => void {
  return (program) => {
    command(program, `${name} <number> [prompt...]`, description, example)
      .option('--timeout <seconds>', 'time limit for the agent')
      .option('--driver <name>', 'driver that runs the agent')
      .option('--language <name>', "choose the agent by this language instead of the task's own")
      .option('--new', 'start over even if earlier work could be continued')
      .option('--dry-run', 'show what would be delegated, to which agent and why')
      .addHelpText('after', exits)
      .action(async (number: string, prompt: string[], options: TaskCommandOptions) =>
        answer(options, async (project) =>
          (await import('./task/task-command.ts')).taskCommand(project, name, [number, ...prompt], options),
        ),
      );
  };
}

export const backlogCommands: CliCommands = {
  task: addTask,
  todo: addTodo,
  research: addTaskCommand('research', 'research a backlog task', 'divisi research 12 "compare the two libraries"'),
  implement: addTaskCommand(
    'implement',
    'implement a backlog task, phase by phase if it has a plan',
    'divisi implement 12',
  ),
  revise: addTaskCommand('revise', 'revise the plan of a backlog task', 'divisi revise 12 "leave the migration out"'),
  review: addTaskCommand('review', 'review the work on a backlog task', 'divisi review 12'),
};
