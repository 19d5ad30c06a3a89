/** The commands about what runs have done: what they are called, what they take. Each does its work in a file of its own. */
import type { Command } from 'commander';
import { answer, command, type JsonOption, whichRun, whichWork } from './define-command.ts';
import type { CleanOptions } from './run/clean.ts';
import type { DiffOptions } from './look/diff.ts';
import type { MergeOptions } from './run/merge.ts';

export function addWorkCommands(program: Command): void {
  command(program, 'diff [what]', 'what a task has changed, or a whole run', 'divisi diff 2.3 --stat')
    .option('--stat', 'a line for each file')
    .option('--attempt <n>', 'of this attempt at the task, not of the last one')
    .addHelpText('after', whichWork)
    .action(async (what: string | undefined, options: DiffOptions) =>
      answer(options, async (project) => (await import('./look/diff.ts')).diff(project, what, options)),
    );
  command(
    program,
    'verify [what]',
    'what was verified about a task or a run, and whether it still holds',
    'divisi verify 2.3',
  )
    .addHelpText(
      'after',
      "\nClaims, scope, artifacts and acceptance commands are looked at again where the run's branch is now, in a folder of its own.\nExit code 1: something does not hold.\n" +
        whichWork,
    )
    .action(async (what: string | undefined, options: JsonOption) =>
      answer(options, async (project) => (await import('./look/verify.ts')).verify(project, what)),
    );
  command(program, 'merge [run]', "bring a run's branch into your checkout", 'divisi merge')
    .option('--yes', 'also if the run has not completed, or commits that are not its own come along')
    .addHelpText(
      'after',
      '\nIt is your own `git merge`, with your hooks and your name. Nothing is pushed. In a conflict nothing is changed: exit code 1.\n' +
        whichRun,
    )
    .action(async (run: string | undefined, options: MergeOptions) =>
      answer(options, async (project) => (await import('./run/merge.ts')).merge(project, run, options)),
    );
  command(program, 'clean', 'remove what runs that are over have left behind', 'divisi clean --dry-run')
    .option('--dry-run', 'only say what would be removed')
    .addHelpText(
      'after',
      '\nOf runs that are over (completed, failed or cancelled): folders and branches of attempts, and the branch of the run once you have merged it.\nA run that failed can be resumed all the same; its open tasks begin afresh. Paused and interrupted runs, and reports, stay.\n',
    )
    .action(async (options: CleanOptions) =>
      answer(options, async (project) => (await import('./run/clean.ts')).clean(project, options)),
    );
}
