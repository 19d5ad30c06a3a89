/** Defines the commands that start, resume, answer and stop runs. */
import type { Command } from 'commander';
import type { ResumeFlags } from '../project/resume-words.ts';
import { answer, type CliCommands, command, type JsonOption, whichRun } from './define-command.ts';
import type { AnswerOptions } from './run/answer-checkpoint.ts';
import type { DetachOptions } from './run/detach.ts';
import type { FeatureCommandOptions } from './run/feature.ts';
import type { PlanCommandOptions } from './run/plan.ts';
import type { ResumeCommandOptions } from './run/resume.ts';
import type { UpdateCommandOptions } from './run/update.ts';
import type { RunCommandOptions } from './run/run.ts';

const whatToRun = `
WHAT is a plan file, - for a plan on standard input, a description in quotes, or \`resume …\`.
Without WHAT, divisi lists the plans and unfinished runs of this project and asks.
`;
const whatToPlan = `
WHAT is a task number with optional notes for the planner, a description in quotes, or a plan file to preview.
`;
const whatToResume = '\nWHAT is [RUN] [from wave N | from task ID] [skip failed].\n';
const whatToUpdate = `
Merges your commit into the run's branch as one merge commit and reads .divisi/config.yaml again. Conflicts: nothing changes.
Agents at work keep their base and settings; what starts later has the new ones. Finished work whose files the merge changed is verified again.
`;
const whatToBuild = `
WHAT is a comma-separated or numbered list of features, one feature in your own words, a file (.md, .txt) with any of these, or - for standard input;
or feature documents with phases: NAME-TODO.md files, or a folder of them. A feature that has a document in .claude/features is taken over from it: phases marked as done are not built again.
Each feature is specified, then built phase by phase: tests first, then a review, the extra reviewers and a final check. Progress is in .divisi/MASTER.md.

Exit codes: 0 completed, 1 a feature is halted, 2 usage, 3 paused, 4 cancelled, 5 paused until you answer.
\`divisi resume\` continues where it stopped.
`;
const exits =
  '\nExit codes: 0 completed, 1 failed, 2 usage or unusable input, 3 paused, 4 cancelled, 5 paused until you answer.\n';
const signals =
  '\nCtrl-C: starts no new tasks, gives running ones a moment and pauses the run. Twice: stops at once. No work is lost either way.\n';

const takeOver = 'take over a run held by another machine that no longer works on it';
const onTrouble =
  'ask: wait for your answer; reject: answer no and continue with the rest; stop: pause at the first problem';
const aboutMarks =
  "ticked tasks whose work was never merged: branch: start from the earlier run's branch; again: do them again; done: take them as done";
const inBackground = 'run in the background, in a process that survives this terminal';
const chooseDriver = 'driver that runs the agents';

function addRun(program: Command): void {
  command(program, 'run [what...]', 'run a plan wave by wave, or continue unfinished work', 'divisi run plan.md')
    .option(
      '--new',
      'start over even if similar unfinished work exists; resume or cancel an unfinished run of this plan first',
    )
    .option('--resume', 'resume the unfinished run of this plan, or of a similar one')
    .option('--mode <mode>', 'plan: preview only; default: wait at checkpoints; auto: wait only for problems')
    .option('--on-trouble <how>', onTrouble)
    .option('--marks <how>', aboutMarks)
    .option('--concurrency <n>', 'number of tasks that may run at the same time')
    .option('--driver <name>', chooseDriver)
    .option('--confirmed <hash>', "run the plan's commands only if the plan is unchanged since this hash was shown")
    .option('--detach', inBackground)
    .option('--record <file>', 'record what the agents do as a scenario for the scripted driver')
    .addHelpText('after', whatToRun + signals + exits)
    .action(async (what: string[], options: RunCommandOptions & DetachOptions) =>
      answer(options, async (project) =>
        options.detach === true
          ? (await import('./run/detach.ts')).detach(project, what, options)
          : (await import('./run/run.ts')).run(project, what, options),
      ),
    );
}

function addPlan(program: Command): void {
  command(
    program,
    'plan [what...]',
    'plan a backlog task, or turn a description into a plan; runs nothing',
    'divisi plan 12\n  divisi plan "people can choose a dark theme"',
  )
    .option('--new', 'start over even if similar unfinished work exists')
    .option('--resume', 'resume similar unfinished work')
    .option('--driver <name>', 'driver that runs the agent')
    .option('--timeout <seconds>', 'backlog task only: time limit for the agent')
    .option('--language <name>', 'backlog task only: choose the agent by this language')
    .option('--dry-run', 'backlog task only: show what would be delegated, to which agent and why')
    .addHelpText('after', whatToPlan + signals + exits)
    .action(async (what: string[], options: PlanCommandOptions) =>
      answer(options, async (project) => (await import('./run/plan.ts')).plan(project, what, options)),
    );
}

function addResume(program: Command): void {
  command(
    program,
    'resume [what...]',
    'resume a run that was paused, interrupted, cancelled or failed',
    'divisi resume from wave 2',
  )
    .option('--from-wave <n>', 'resume from this wave (its number in the plan)')
    .option('--from-task <id>', 'resume from this task')
    .option('--skip-failed', 'leave failed tasks as they are and continue with the rest')
    .option('--audit', 'review the completed work first')
    .option('--on-trouble <how>', onTrouble)
    .option('--detach', inBackground)
    .option('--take-over', takeOver)
    .addHelpText('after', whatToResume + whichRun + signals + exits)
    .action(async (what: string[], options: ResumeCommandOptions & ResumeFlags & DetachOptions) =>
      answer(options, async (project) =>
        options.detach === true
          ? (await import('./run/detach.ts')).detach(project, what, options)
          : (await import('./run/resume.ts')).resume(
              project,
              (await import('../project/resume-words.ts')).resumeWords(what, options),
              options,
            ),
      ),
    );
}

function addAnswer(word: 'approve' | 'reject', description: string): (program: Command) => void {
  return (program) => {
    command(program, `${word} [run]`, description, `divisi ${word} --note "use the other endpoint"`)
      .option('--note <text>', 'note for the agents that continue')
      .option('--checkpoint <id>', 'checkpoint to answer, if several are open')
      .option('--all', 'answer all open checkpoints')
      .option('--take-over', takeOver)
      .addHelpText('after', whichRun)
      .action(async (run: string | undefined, options: JsonOption & AnswerOptions) =>
        answer(options, async (project) =>
          (await import('./run/answer-checkpoint.ts')).answerCheckpoint(project, run, word === 'approve', options),
        ),
      );
  };
}

function addStop(how: 'pause' | 'cancel', description: string): (program: Command) => void {
  return (program) => {
    command(program, `${how} [run]`, description, `divisi ${how}`)
      .option('--take-over', takeOver)
      .addHelpText('after', whichRun)
      .action(async (run: string | undefined, options: ResumeCommandOptions) =>
        answer(options, async (project) =>
          (await import('./run/stop.ts')).stop(project, run, how, options.takeOver === true),
        ),
      );
  };
}

function addUpdate(program: Command): void {
  command(
    program,
    'update [run]',
    'bring a run up to date with your checkout and your config',
    'divisi update --config-only',
  )
    .option('--config-only', "leave the run's branch as it is, take over the settings alone")
    .option('--take-over', takeOver)
    .addHelpText('after', whatToUpdate + whichRun)
    .action(async (run: string | undefined, options: UpdateCommandOptions) =>
      answer(options, async (project) => (await import('./run/update.ts')).update(project, run, options)),
    );
}

function addFeature(program: Command): void {
  command(
    program,
    'feature <what...>',
    'build features phase by phase, with reviews',
    'divisi feature "auth, payments, dashboard"',
  )
    .option('--extras <names>', 'extra reviewers of each phase, comma-separated; default: from the config')
    .option('--mode <mode>', 'default: wait for your answers; auto: wait only for problems')
    .option('--concurrency <n>', 'number of steps that may run at the same time')
    .option('--driver <name>', chooseDriver)
    .addHelpText('after', whatToBuild)
    .action(async (what: string[], options: FeatureCommandOptions) =>
      answer(options, async (project) => (await import('./run/feature.ts')).feature(project, what, options)),
    );
}

export const runCommands: CliCommands = {
  run: addRun,
  plan: addPlan,
  resume: addResume,
  approve: addAnswer('approve', 'answer yes at a checkpoint, from any terminal'),
  reject: addAnswer('reject', 'answer no at a checkpoint; `divisi status` shows what follows'),
  pause: addStop('pause', 'pause a run from any terminal; it can be resumed'),
  cancel: addStop('cancel', 'cancel a run and stop its agents at once'),
  update: addUpdate,
  feature: addFeature,
};
