/** Runs a command on a backlog task, shows its progress, and prints its result brief. */
import { defined } from '../../base/defined.ts';
import { promptOf, type CommandRequest, taskNumber, timeoutSeconds } from '../../commands/command-request.ts';
import { previewCommand } from '../../commands/run-stages.ts';
import type { CommandName } from '../../routing/command-routing.ts';
import { runTaskCommand } from '../../runtime/runtime.ts';
import { commandAnswer } from './command-answer.ts';
import { outsideOfDelegations } from '../../commands/backlog/with-tasks.ts';
import { type Answer, exitCodes, warn } from '../output.ts';
import { watchRun } from '../live/watch-run.ts';
import { requireTrust } from '../../project/trust/trust.ts';

export interface TaskCommandOptions {
  readonly json?: boolean;
  readonly timeout?: string;
  readonly driver?: string;
  readonly language?: string;
  readonly new?: boolean;
  readonly dryRun?: boolean;
}

export async function taskCommand(
  found: string,
  command: CommandName,
  [number = '', ...words]: readonly string[],
  options: TaskCommandOptions,
): Promise<Answer> {
  const project = outsideOfDelegations(found);
  const request = requestOf(command, number, words, options);
  if (options.dryRun === true) return preview(project, request);
  requireTrust({ project, environment: process.env });
  const asJson = options.json === true;
  const watched = watchRun(`divisi ${command} ${request.number}`, { asJson, project });
  try {
    const quiet = asJson ? { seen: () => undefined } : {};
    return commandAnswer(await runTaskCommand(request, { ...watched.options, ...quiet, project }), project);
  } finally {
    watched.end();
  }
}

function requestOf(
  command: CommandName,
  number: string,
  words: readonly string[],
  { timeout, driver, language, new: isNew }: TaskCommandOptions,
): CommandRequest {
  return {
    command,
    number: taskNumber(number),
    prompt: promptOf(words),
    ...(timeout === undefined ? {} : { timeout: timeoutSeconds(timeout) }),
    ...defined({ driver, language }),
    ...(isNew === true ? { isNew } : {}),
  };
}

async function preview(project: string, request: CommandRequest): Promise<Answer> {
  const { tasks, stages, deadline, route, workflow, resumes } = await previewCommand(request, {
    project,
    environment: process.env,
    warn,
  });
  const lines = [
    resumes === undefined ? 'dry run; it would delegate:' : `dry run; it would resume ${resumes}:`,
    ...stages.map(({ stage, note }) => `  ${stage}: ${note}`),
    ...tasks.map(({ id, title, agent }) => `  ${id} by ${agent}, at most ${deadline.seconds} s: ${title}`),
    ...tasks.map(({ id, accept }) => `  ${id} is done when ${accept.join('; ')}`),
  ];
  const json = { workflow, stages, agent: route.agent, seconds: deadline.seconds, resumes, tasks };
  return { code: exitCodes.completed, json, text: lines.join('\n') };
}
