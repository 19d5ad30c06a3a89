/** Defines the commands that show runs and their work, and those that merge it and clean up. */
import type { Command } from 'commander';
import { defined } from '../base/defined.ts';
import { divisiError } from '../base/error.ts';
import { answer, type CliCommands, command, type JsonOption, whichRun, whichWork } from './define-command.ts';
import type { DiffOptions } from './look/diff.ts';
import type { PathOptions } from './look/path.ts';
import type { EventsOptions } from './look/events.ts';
import type { LogsOptions } from './look/logs.ts';
import type { CleanAllOptions } from './run/clean-all.ts';
import type { DiscardOptions } from './run/discard.ts';
import type { MergeOptions } from './run/merge.ts';

function addStatus(program: Command): void {
  command(program, 'status [run]', 'show the progress of a run, and what each task waits for', 'divisi status')
    .option('--delegations', 'show everything delegated in this project: agent, deadline, stage')
    .option('--all', 'with --delegations: include ended commands')
    .addHelpText('after', whichRun)
    .action(async (run: string | undefined, options: JsonOption & { delegations?: boolean; all?: boolean }) =>
      answer(options, async (project) =>
        options.delegations === true || options.all === true
          ? (await import('./look/status-delegations.ts')).delegations(project, {
              ...defined({ run }),
              all: options.all === true,
            })
          : (await import('./look/status.ts')).status(project, run),
      ),
    );
}

function addShow(program: Command): void {
  command(program, 'show [run]', 'show the plan of a run: waves, tasks and checkpoints', 'divisi show')
    .addHelpText('after', whichRun)
    .action(async (run: string | undefined, options: JsonOption) =>
      answer(options, async (project) => (await import('./look/show.ts')).show(project, run)),
    );
}

function addList(program: Command): void {
  command(program, 'list', 'list the runs of this project, newest first', 'divisi list').action(
    async (options: JsonOption) => answer(options, async (project) => (await import('./look/list.ts')).list(project)),
  );
}

function addEvents(program: Command): void {
  command(program, 'events [run]', 'print the events of a run from the ledger', 'divisi events --json')
    .option('--follow', 'keep printing until the run ends or pauses')
    .addHelpText('after', whichRun)
    .action(async (run: string | undefined, options: EventsOptions) =>
      answer(options, async (project) => (await import('./look/events.ts')).events(project, run, options)),
    );
}

function addLogs(program: Command): void {
  command(program, 'logs <task>', "show what a task's agent did and said", 'divisi logs 2.3 --follow')
    .option('--follow', 'keep printing while the agent runs')
    .option('--raw', "print the client's messages as sent")
    .option('--checks', 'print the output of its acceptance commands instead')
    .option('--setup', 'print the output of its set-up commands instead')
    .addHelpText('after', '\nTASK is a task id of the plan, or RUN/TASK for a task of another run.\n')
    .action(async (task: string, options: LogsOptions) =>
      answer(options, async (project) => (await import('./look/logs.ts')).logs(project, task, options)),
    );
}

function addReport(program: Command): void {
  command(
    program,
    'report [what]',
    'show the result of a run, or the report of a task',
    'divisi report 2.3 --section issues',
  )
    .option('--section <name>', 'print only this section of the report')
    .addHelpText('after', whichWork)
    .action(async (what: string | undefined, options: JsonOption & { readonly section?: string }) =>
      answer(options, async (project) => (await import('./look/report.ts')).report(project, what, options.section)),
    );
}

function addDiff(program: Command): void {
  command(program, 'diff [what]', 'show the changes of a task or a run', 'divisi diff 2.3 --stat')
    .option('--stat', 'print one line per file')
    .option('--attempt <n>', 'show this attempt at the task instead of the last one')
    .addHelpText('after', whichWork)
    .action(async (what: string | undefined, options: DiffOptions) =>
      answer(options, async (project) => (await import('./look/diff.ts')).diff(project, what, options)),
    );
}

function addPath(program: Command): void {
  command(program, 'path <task>', "print the folder of a task's room", 'cd "$(divisi path 2.3)"')
    .option('--attempt <n>', 'the room of this attempt instead of the last one')
    .addHelpText(
      'after',
      '\nA room is a private clone in which the attempts at a task work. It is removed when the task has completed.\n',
    )
    .action(async (task: string, options: PathOptions) =>
      answer(options, async (project) => (await import('./look/path.ts')).showPath(project, task, options)),
    );
}

function addVerify(program: Command): void {
  command(program, 'verify [what]', 'verify a task or a run again', 'divisi verify 2.3')
    .addHelpText(
      'after',
      "\nChecks claims, scope, artifacts and acceptance commands again, at the head of the run's branch, in a separate clone.\nExit code 1: a check failed.\n" +
        whichWork,
    )
    .action(async (what: string | undefined, options: JsonOption) =>
      answer(options, async (project) => (await import('./look/verify.ts')).verify(project, what)),
    );
}

function addMerge(program: Command): void {
  command(program, 'merge [run]', "merge a run's branch into your checkout", 'divisi merge')
    .option('--squash', 'as one commit that lists the tasks')
    .option('--no-ff', 'always with a merge commit')
    .option('--yes', 'merge even if the run has not completed, or its branch has commits by others')
    .addHelpText(
      'after',
      '\nThis is a plain `git merge`, with your hooks and your name. Nothing is pushed. A conflict changes nothing: exit code 1.\n' +
        'If your git signs commits and those of the tasks are not signed, it makes a signed merge commit.\n' +
        whichRun,
    )
    .action(async (run: string | undefined, options: MergeOptions) =>
      answer(options, async (project) => (await import('./run/merge.ts')).merge(project, run, options)),
    );
}

const whatIsRemoved = `
Ends the processes that a killed run has left running; divisi status and list name them.
For each completed, failed or cancelled run: removes the rooms and branches of its attempts, and its branch once it is merged.
A failed run can still be resumed; its open tasks start over. Paused and interrupted runs stay as they are, and so do reports.
divisi clean RUN --discard also removes the branch of a run that you do not want. A paused run is cancelled first; a running one is refused.
divisi clean --all also removes what is kept of projects whose folder is gone. It asks first, and shows sizes.
`;

function needsRun(): Error {
  return divisiError('USAGE', {
    message: '--discard and the name of a run belong together',
    expected: 'divisi clean, or divisi clean RUN --discard',
    next: '`divisi list` shows the runs of this project.',
  });
}

function addClean(program: Command): void {
  command(program, 'clean [run]', 'remove what finished runs have left behind', 'divisi clean --dry-run')
    .option('--dry-run', 'show what would be removed')
    .option('--discard', 'remove everything of RUN but its reports, whether merged or not')
    .option('--all', 'also remove rooms, seeds and state of projects that are gone')
    .option('--unmounted', 'with --all: also of projects that may be on a disk that is not mounted')
    .option('--yes', 'with --discard or --all: do not ask')
    .addHelpText('after', whatIsRemoved)
    .action(async (run: string | undefined, options: CleanAllOptions & DiscardOptions & { discard?: boolean }) =>
      answer(options, async (project) => {
        if ((run !== undefined) !== (options.discard === true)) throw needsRun();
        if (options.all === true && run === undefined)
          return (await import('./run/clean-all.ts')).cleanAll(project, options);
        return run === undefined
          ? (await import('./run/clean.ts')).clean(project, options)
          : (await import('./run/discard.ts')).discard(project, run, options);
      }),
    );
}

export const lookCommands: CliCommands = {
  status: addStatus,
  show: addShow,
  list: addList,
  events: addEvents,
  logs: addLogs,
  report: addReport,
  diff: addDiff,
  path: addPath,
  verify: addVerify,
  merge: addMerge,
  clean: addClean,
};
