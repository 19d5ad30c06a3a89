/** `divisi doctor --checks`: runs the acceptance commands on the last commit, and says whether they notice a broken file. */
import { resolve } from 'node:path';
import { divisiError } from '../../base/error.ts';
import { type AcceptCommand, acceptCommandsOf } from '../../core/decide/accept-commands.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import { commandKey } from '../../base/command-key.ts';
import { openLedger } from '../../ledger/ledger.ts';
import { loadPlan } from '../../plan/parse-plan.ts';
import type { PlanTask } from '../../plan/plan.ts';
import { acceptCommand } from '../../plan/values/accept-command.ts';
import { findRunTask } from '../../project/find-run.ts';
import { readPlanText } from '../../project/plan-file.ts';
import { prepareFolder } from '../../project/prepare-folder.ts';
import { loadTrusted } from '../../project/trust/load-trusted.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { checkBase, type CheckedBase } from '../../runtime/trial/check-base.ts';
import { ledgerFile } from '../../workspace/places.ts';
import type { JsonOption } from '../define-command.ts';
import { type Answer, exitCodes, warn } from '../output.ts';
import { stopOnSignals } from '../stop-on-signals.ts';
import { checksText } from './checks-text.ts';

export interface DoctorOptions extends JsonOption {
  readonly checks?: boolean;
  readonly plan?: string;
  /** Address of a task. */
  readonly break?: string;
}

type CheckedTask = Pick<PlannedTask, 'id' | 'scope' | 'accept' | 'forbidden'>;

export async function doctorChecks(project: string, options: DoctorOptions): Promise<Answer> {
  if (options.checks !== true) throw needsChecks();
  const settled = await loadTrusted({ project, environment: process.env, warn });
  const { tasks, toBreak } = await tasksOf(project, options);
  const commands = commandsOf(settled.config.workspace.accept, tasks);
  await prepareFolder(project);
  const ledger = openLedger(ledgerFile(project));
  const stopping = stopOnSignals(() => undefined);
  try {
    const around = { project, environment: process.env, ledger, settled, command: 'divisi doctor --checks', warn };
    const checked = await checkBase({ ...around, commands, toBreak }, stopping.signal);
    // The output is removed with the room.
    const checks = checked.checks.map((check) => ({ ...check, output: undefined }));
    const facts = { ...checked, checks, ...(toBreak === undefined ? {} : { task: toBreak.id }) };
    return { code: codeOf(checked), json: facts, text: checksText(facts) };
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    return { code: exitCodes.cancelled, json: { cancelled: true }, text: 'stopped; nothing is left behind' };
  } finally {
    stopping.end();
    ledger.close();
  }
}

function needsChecks(): Error {
  return divisiError('USAGE', {
    message: '--plan and --break belong to --checks',
    next: 'divisi doctor --checks [--plan FILE] [--break TASK]',
  });
}

function needsPlan(task: string): Error {
  return divisiError('USAGE', {
    message: `no run here has a task ${task}`,
    next: 'Name the plan with the task: divisi doctor --checks --plan FILE --break TASK',
  });
}

interface Asked {
  /** Their own commands are checked, too. */
  readonly tasks: readonly CheckedTask[];
  readonly toBreak?: CheckedTask;
}

async function tasksOf(project: string, { plan: file, break: address }: DoctorOptions): Promise<Asked> {
  if (file !== undefined) {
    const { text } = await readPlanText(resolve(process.cwd(), file), file);
    const tasks = loadPlan(text, file).plan.waves.flatMap((wave) => wave.tasks.map(taskOf));
    if (address === undefined) return { tasks };
    const toBreak = tasks.find(({ id }) => id === address);
    if (toBreak === undefined) throw unknownTask(address, file);
    return { tasks: [toBreak], toBreak };
  }
  if (address === undefined) return { tasks: [] };
  const ledger = readLedger(project);
  try {
    if (ledger.runs().length === 0) throw needsPlan(address);
    const { state, task } = findRunTask(ledger, address);
    // Only what a person has seen is run.
    const accept = acceptCommandsOf(state, [task]).some(({ from }) => from === 'plan') ? task.planned.accept : [];
    const toBreak = { ...task.planned, accept };
    return { tasks: [toBreak], toBreak };
  } finally {
    ledger.close();
  }
}

function taskOf({ id, scope, accept, forbidden }: PlanTask): CheckedTask {
  return { id, scope: [...scope], accept: [...accept], forbidden: [...(forbidden ?? [])] };
}

function unknownTask(task: string, file: string): Error {
  return divisiError('TASK_UNKNOWN', {
    message: `${file} has no task ${task}`,
    next: `\`divisi show ${file}\` lists its tasks.`,
    ids: { task },
  });
}

function commandsOf(config: readonly (readonly string[])[], tasks: readonly CheckedTask[]): AcceptCommand[] {
  const all = new Map<string, AcceptCommand>(config.map((argv) => [commandKey(argv), { argv, from: 'config' }]));
  for (const criterion of tasks.flatMap(({ accept }) => accept)) {
    const argv = acceptCommand(criterion);
    if (Array.isArray(argv) && !all.has(commandKey(argv))) all.set(commandKey(argv), { argv, from: 'plan' });
  }
  return [...all.values()];
}

function codeOf({ checks, broken }: CheckedBase): Answer['code'] {
  const isGood = checks.every(({ from, result }) => from === 'plan' || result === 'green');
  const isNoticed = broken.every(({ noticed }) => noticed.length > 0);
  return isGood && isNoticed ? exitCodes.completed : exitCodes.failed;
}
