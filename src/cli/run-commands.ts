/** The commands about runs: what they are called, what they take. Each does its work in a file of its own. */
import { defined } from '../base/defined.ts';
import type { Command } from 'commander';
import type { AnswerOptions } from './run/answer-checkpoint.ts';
import { answer, command, type JsonOption, whichRun, whichWork } from './define-command.ts';
import type { EventsOptions } from './look/events.ts';
import type { LogsOptions } from './look/logs.ts';
import type { ResumeFlags } from '../project/resume-words.ts';
import type { PlanCommandOptions } from './run/plan.ts';
import type { ResumeOptions } from './run/resume.ts';
import type { RunCommandOptions } from './run/run.ts';

const whatToRun =
  '\nWHAT is the file of a plan, - for one from standard input, a description, or `resume …`; without it you are shown what is there.\n';
const whatToPlan =
  '\nWHAT is the number of a task and what else its planner is to know, a description, or the file of a plan that is only to be shown.\n';
const whatToResume = '\nWHAT is [RUN] [from wave N | from task ID] [skip failed].\n';
const exits =
  '\nExit codes: 0 completed, 1 failed, 2 usage or unusable input, 3 paused, 4 cancelled, 5 paused until you have answered.\n';
const signals =
  '\nCtrl-C: no new tasks, what runs gets a moment, the run is paused. Twice: at once. Nothing is lost either way.\n';

const takeOver = 'the run is held on another machine, and nobody works on it there any more';

export function addRuns(program: Command): void {
  addWork(program);
  addLooks(program);
}

function addWork(program: Command): void {
  command(program, 'run [what...]', 'run a plan, wave by wave, or go on with what is there', 'divisi run plan.md')
    .option(
      '--new',
      'begin anew, even if other unfinished work looks like it; an unfinished run of the plan itself is resumed or cancelled first',
    )
    .option('--resume', 'go on with the unfinished run of this plan, or of one like it, if there is one')
    .option(
      '--mode <mode>',
      'plan: only show what would be done; default: wait at checkpoints; auto: wait only for trouble',
    )
    .option('--concurrency <n>', 'how many tasks may run at the same time')
    .option('--driver <name>', 'the driver that runs the agents')
    .option('--confirmed <hash>', 'run the commands of the plan only if it still is what a person has seen')
    .option('--record <file>', 'keep what the agents do as a scenario for the scripted driver')
    .addHelpText('after', whatToRun + signals + exits)
    .action(async (what: string[], options: RunCommandOptions) =>
      answer(options, async (project) => (await import('./run/run.ts')).run(project, what, options)),
    );
  command(
    program,
    'plan [what...]',
    'have a backlog task planned, or have an architect make a plan of a description; nothing is run',
    'divisi plan 12\n  divisi plan "people can choose a dark theme"',
  )
    .option('--new', 'begin anew, even if unfinished work looks like it')
    .option('--resume', 'go on with unfinished work like it, if there is any')
    .option('--driver <name>', 'the driver that runs the agent')
    .option('--timeout <seconds>', 'of a backlog task: how long the agent may take')
    .option('--language <name>', 'of a backlog task: choose the agent by this language')
    .option('--dry-run', 'of a backlog task: only say what would be delegated, to whom and why')
    .addHelpText('after', whatToPlan + signals + exits)
    .action(async (what: string[], options: PlanCommandOptions) =>
      answer(options, async (project) => (await import('./run/plan.ts')).plan(project, what, options)),
    );
  command(
    program,
    'resume [what...]',
    'go on with a run that was paused, interrupted, cancelled or failed',
    'divisi resume from wave 2',
  )
    .option('--from-wave <n>', 'go on from this wave, by its number in the plan')
    .option('--from-task <id>', 'go on from this task')
    .option('--skip-failed', 'leave what failed as it is, and go on with the rest')
    .option('--audit', 'have the work that is done looked at first')
    .option('--take-over', takeOver)
    .addHelpText('after', whatToResume + whichRun + signals + exits)
    .action(async (what: string[], options: ResumeOptions & ResumeFlags) =>
      answer(options, async (project) =>
        (await import('./run/resume.ts')).resume(
          project,
          (await import('../project/resume-words.ts')).resumeWords(what, options),
          options,
        ),
      ),
    );
  for (const [word, description] of [
    ['approve', 'say yes to what a run asks at a checkpoint, from any terminal'],
    ['reject', 'say no to it; `divisi status` says what follows from either'],
  ] as const) {
    command(program, `${word} [run]`, description, `divisi ${word} --note "use the other endpoint"`)
      .option('--note <text>', 'what whoever goes on with it is told')
      .option('--checkpoint <id>', 'which one, where several are open')
      .option('--all', 'all that are open')
      .option('--take-over', takeOver)
      .addHelpText('after', whichRun)
      .action(async (run: string | undefined, options: JsonOption & AnswerOptions) =>
        answer(options, async (project) =>
          (await import('./run/answer-checkpoint.ts')).answerCheckpoint(project, run, word === 'approve', options),
        ),
      );
  }
  for (const [how, description] of [
    ['pause', 'stop a run from another terminal; it can be resumed'],
    ['cancel', 'end a run, and what it has running at once'],
  ] as const) {
    command(program, `${how} [run]`, description, `divisi ${how}`)
      .option('--take-over', takeOver)
      .addHelpText('after', whichRun)
      .action(async (run: string | undefined, options: ResumeOptions) =>
        answer(options, async (project) =>
          (await import('./run/stop.ts')).stop(project, run, how, options.takeOver === true),
        ),
      );
  }
}

function addLooks(program: Command): void {
  command(program, 'status [run]', 'where a run stands, and what each task waits for', 'divisi status')
    .option('--delegations', 'the registry: what is delegated in this project now, to whom, until when, at which stage')
    .option('--all', 'with --delegations: the commands that have ended as well')
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
  command(program, 'show [run]', 'the plan of a run: its waves, tasks and checkpoints', 'divisi show')
    .addHelpText('after', whichRun)
    .action(async (run: string | undefined, options: JsonOption) =>
      answer(options, async (project) => (await import('./look/show.ts')).show(project, run)),
    );
  command(program, 'list', 'the runs of this project, the newest first', 'divisi list').action(
    async (options: JsonOption) => answer(options, async (project) => (await import('./look/list.ts')).list(project)),
  );
  command(program, 'events [run]', 'everything that happened in a run, from the ledger', 'divisi events --json')
    .option('--follow', 'go on until the run comes to rest')
    .addHelpText('after', whichRun)
    .action(async (run: string | undefined, options: EventsOptions) =>
      answer(options, async (project) => (await import('./look/events.ts')).events(project, run, options)),
    );
  command(program, 'logs <task>', 'what the agent of a task did and said', 'divisi logs 2.3 --follow')
    .option('--follow', 'go on while the agent is at work')
    .option('--raw', 'the messages of its client, as they were sent')
    .addHelpText('after', '\nTASK is an id of the plan, or RUN/TASK for a task of another run.\n')
    .action(async (task: string, options: LogsOptions) =>
      answer(options, async (project) => (await import('./look/logs.ts')).logs(project, task, options)),
    );
  command(
    program,
    'report [what]',
    'what became of a run, or the report of a task',
    'divisi report 2.3 --section issues',
  )
    .option('--section <name>', 'only this section of the report')
    .addHelpText('after', whichWork)
    .action(async (what: string | undefined, options: JsonOption & { readonly section?: string }) =>
      answer(options, async (project) => (await import('./look/report.ts')).report(project, what, options.section)),
    );
}
