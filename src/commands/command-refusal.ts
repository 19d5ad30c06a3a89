/** Errors that refuse a task command before anything is delegated. */
import { type DivisiError, divisiError } from '../base/error.ts';
import type { ProjectTask } from '../todo/project-task.ts';
import type { CommandRunRow } from './find-command-run.ts';

export function taskArchived({ number, status }: ProjectTask): DivisiError {
  return divisiError('TASK_UNKNOWN', {
    message: `task ${number} is archived: it is ${status}`,
    next: `divisi task show ${number} shows it; for more work on it, add a task: divisi task add "…".`,
    ids: { number },
  });
}

/** Without a file it would work without instructions. `from` is the file that names it. */
export function agentUnknown(command: string, agent: string, from: string): DivisiError {
  return divisiError('AGENT_UNKNOWN', {
    message: `${from} gives ${command} to ${agent}, but no agent has that name`,
    expected: `a built-in agent, or a file .divisi/agents/${agent}.md, .claude/agents/${agent}.md or .claude/agent/subagents/${agent}.md`,
    got: agent,
    next: `Write its instructions to .divisi/agents/${agent}.md (docs/agents.md), or name another agent in ${from}; \`divisi agents\` lists all.`,
    ids: { agent, file: from },
  });
}

export function commandRunning({ run, workflow: { command, number } }: CommandRunRow): DivisiError {
  return divisiError('RUN_UNFINISHED', {
    message: `another command is running on task ${number}: ${command}, ${run}`,
    next: `Wait for its end (divisi status ${run}), or stop it first: divisi pause ${run}.`,
    ids: { run, number },
  });
}

/** Finished phases that are not merged would be lost. */
export function unmergedWork({ run, workflow: { command, number } }: CommandRunRow): DivisiError {
  return divisiError('RUN_UNFINISHED', {
    message: `divisi ${command} ${number} is not finished and has work that is not in your checkout: ${run}`,
    next: `divisi ${command} ${number} continues it; or merge what is there (divisi merge ${run} --yes) and end it (divisi cancel ${run}).`,
    ids: { run, number },
  });
}

export function noPhaseLeft(number: number, plan: string): DivisiError {
  return divisiError('PLAN_FINISHED', {
    message: `every phase of ${plan} is marked as done: there is nothing to implement`,
    expected: 'a phase that is not marked [COMPLETED]',
    next: `divisi review ${number} reviews the work; divisi revise ${number} "…" plans more; remove a wrong mark in the file.`,
    ids: { number, file: plan },
  });
}

export function duplicatePhases(number: number, plan: string, numbers: readonly number[]): DivisiError {
  return divisiError('PLAN_INVALID', {
    message: `${plan} has phase ${numbers.join(', ')} more than once`,
    expected: 'a unique number for each phase',
    next: 'Renumber them in the file, then run the command again.',
    ids: { number, file: plan },
  });
}

/** The task was ended although its run is unfinished. */
export function taskEnded({ run }: CommandRunRow, { number, status }: ProjectTask): DivisiError {
  return divisiError('TASK_TRANSITION', {
    message: `task ${number} is ${status}, and ${run} about it is not finished`,
    next: `divisi cancel ${run} ends it; nothing was changed.`,
    ids: { run, number },
  });
}

export function driverFixed({ run, workflow: { command, number } }: CommandRunRow): DivisiError {
  return divisiError('USAGE', {
    message: `--driver: ${run} keeps the driver it started with`,
    next: `Leave it out, or start over: divisi ${command} ${number} --new.`,
    ids: { run },
  });
}

export function ignoredByGit(path: string): DivisiError {
  return divisiError('TASK_FILES_UNUSABLE', {
    message: `git ignores ${path}: an agent's files there would be lost`,
    next: 'Take it out of .gitignore, or name another folder for backlog tasks with specs: in .divisi/config.yaml.',
    ids: { path },
  });
}
