/** The commands about backlog tasks: what they are called, what they take. Each does its work in a file of its own. */
import type { Command } from 'commander';
import { answer, command, group, type JsonOption } from './define-command.ts';
import type { AddOptions, ListOptions, ReasonOptions } from './task/task.ts';
import type { TodoOptions } from './task/todo.ts';

const whereTheyAre =
  '\nTasks stand in TODO.md and state.json, where you may edit them too; what you wrote there is taken over first.\n';

export function addBacklogCommands(program: Command): void {
  const task = group(program, 'task', 'the backlog tasks of this project', 'divisi task add "Refactor the context"');
  addLooks(task);
  addChanges(task);
  command(program, 'todo', 'put away the tasks that are completed, abandoned or expanded', 'divisi todo --dry-run')
    .option('--dry-run', 'only say what would be put away')
    .addHelpText(
      'after',
      '\nTheir entries go from TODO.md and state.json into archive/TODO.md beside the folders of tasks; `divisi task list --all` still has them.\n',
    )
    .action(async (options: TodoOptions) =>
      answer(options, async (project) => (await import('./task/todo.ts')).todo(project, options)),
    );
}

function addLooks(task: Command): void {
  command(task, 'list', 'the tasks, by their numbers', 'divisi task list --status planned')
    .option('--status <status>', 'only those of this status')
    .option('--all', 'those that were put away as well')
    .addHelpText('after', whereTheyAre)
    .action(async (options: ListOptions) =>
      answer(options, async (project) => (await import('./task/task.ts')).listTasks(project, options)),
    );
  command(task, 'show <number>', 'what a task is, and how it came to be so', 'divisi task show 12').action(
    async (number: string, options: JsonOption) =>
      answer(options, async (project) => (await import('./task/task-show.ts')).taskShow(project, number)),
  );
}

function addChanges(task: Command): void {
  command(task, 'add <title>', 'make a task', 'divisi task add "Refactor the context" --language typescript')
    .option('--description <text>', 'what it is about')
    .option('--language <language>', 'what its agents are chosen by; else general')
    .option('--effort <effort>', 'such as "4 hours"')
    .option('--priority <priority>', 'such as high')
    .addHelpText('after', whereTheyAre)
    .action(async (title: string, options: AddOptions) =>
      answer(options, async (project) => (await import('./task/task.ts')).taskAdd(project, title, options)),
    );
  command(task, 'block <number>', 'say that a task cannot go on', 'divisi task block 12 --reason "no access yet"')
    .requiredOption('--reason <text>', 'what it waits for')
    .action(async (number: string, options: ReasonOptions) =>
      answer(options, async (project) => (await import('./task/task.ts')).taskBlock(project, number, options)),
    );
  command(task, 'abandon <number>', 'give a task up', 'divisi task abandon 12 --reason "no longer needed"')
    .option('--reason <text>', 'why')
    .action(async (number: string, options: ReasonOptions) =>
      answer(options, async (project) => (await import('./task/task.ts')).taskAbandon(project, number, options)),
    );
  command(
    task,
    'expand <number> <parts...>',
    'divide a task: each part becomes a task of its own',
    'divisi task expand 12 "Read the config" "Write the config"',
  ).action(async (number: string, parts: string[], options: JsonOption) =>
    answer(options, async (project) => (await import('./task/task.ts')).taskExpand(project, number, parts)),
  );
}
