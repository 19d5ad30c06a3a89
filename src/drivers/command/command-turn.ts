/** Runs a command for one turn: prepares its files and environment, and decides how the turn ended. */
import { defined } from '../../base/defined.ts';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../../base/error.ts';
import { childEnvironment } from '../../process/environment.ts';
import { type Confinement, withMounts } from '../../process/confine/confinement.ts';
import { type MarkedProcess, spawnMarked } from '../../process/spawn-marked.ts';
import type { CommandReturns } from '../../contracts/return-way.ts';
import type { DriverNote, DriverTask, Turn } from '../driver.ts';
import { stateRoot } from '../../workspace/places.ts';
import { newFile, readTail } from '../../process/output-file.ts';
import { markEnd, readTurnOutput, turnOutputFile } from '../turn-output.ts';
import { withUsage } from '../../dialects/usage.ts';
import { failureMessage } from '../failure-message.ts';
import { watchOutput } from '../../process/output-limit.ts';
import { retryTime } from '../retry-time.ts';
import { readUsage, usageFile } from './usage-file.ts';

/** The driver's entry in the config or the plan, and the user's environment. */
export interface CommandOptions {
  readonly name: string;
  readonly argv: readonly string[];
  /** For agents that review; default: `argv`. */
  readonly review?: readonly string[];
  readonly repair?: readonly string[];
  /** Default: `message`; without `repair`, exit code 0 is enough where standard output has no return. */
  readonly returns?: CommandReturns;
  /** Names of variables, or prefixes that end in `*`. */
  readonly environment: readonly string[];
  /** The environment of the user. */
  readonly own: NodeJS.ProcessEnv;
  /** Absolute: the folder with `.divisi`. */
  readonly project: string;
  /** Bytes. A command that writes more is stopped. */
  readonly mostOutput?: number;
}

export interface CommandTurn {
  readonly settings: CommandOptions;
  readonly task: DriverTask;
  readonly argv: readonly string[];
  readonly input: string;
  /** 0 for the first turn. */
  readonly repair: number;
  /** Variables of this turn only. */
  readonly more: Readonly<Record<string, string>>;
  readonly cancelled: AbortSignal;
  /** Called as soon as the process exists; never after `cancelled` is aborted. */
  readonly spawned: (child: MarkedProcess) => void;
  readonly note: (note: DriverNote) => void;
}

const mebibyte = 1024 * 1024;
/** `EX_TEMPFAIL` of sysexits.h: a temporary failure. */
const quotaExit = 75;
const lastLines = 4096;

export async function runCommandTurn(run: CommandTurn): Promise<Turn> {
  const file = turnOutputFile(run.task.outputFile, run.repair);
  try {
    await prepare(run, file);
  } catch (error) {
    return notStarted(messageOf(error));
  }
  return markEnd(file, await turnOf(run, file));
}

/** The output file exists, and is empty, before the command runs. */
async function prepare({ task, repair }: CommandTurn, file: string): Promise<void> {
  await newFile(file, '');
  await newFile(`${file}.stderr`, '');
  await rm(dirname(usageFile(file)), { recursive: true, force: true });
  await mkdir(dirname(usageFile(file)), { mode: 0o700 });
  if (repair === 0) await newFile(promptFile(task), task.prompt);
}

async function turnOf(run: CommandTurn, file: string): Promise<Turn> {
  const { task, settings, cancelled } = run;
  if (cancelled.aborted) return { end: 'cancelled', said: '' };
  const stderr = `${file}.stderr`;
  const most = settings.mostOutput ?? 64 * mebibyte;
  // Opened before the command can replace the files.
  const watch = watchOutput([file, stderr], most, () => void child.stop('at-once'));
  const child = spawnMarked(
    {
      argv: run.argv,
      directory: task.directory,
      environment: childEnvironment(settings.own, settings.environment, variables(run, file)),
      marker: { run: task.run, delegation: task.delegation },
      input: run.input,
      confinement: confined(run, file),
      stdout: file,
      stderr,
    },
    cancelled,
  );
  run.spawned(child);
  if (child.pid !== undefined) run.note({ kind: 'started', pid: child.pid });
  const ended = await child.ended;
  const wasCancelled = cancelled.aborted;
  watch.end();

  const said = await readTurnOutput(file);
  const used = withUsage(await readUsage(file));
  if (wasCancelled) return { end: 'cancelled', said, ...used };
  if (watch.exceeded()) {
    const message = `stopped: it wrote more than ${Math.ceil(most / mebibyte)} MiB`;
    return { end: 'failed', cause: 'signal', message, said, ...used };
  }
  switch (ended.kind) {
    case 'exit': {
      if (ended.code === 0) return { end: 'returned', text: said, ...exitCode(settings), ...used };
      const message = await failureMessage(`exit code ${ended.code}`, stderr);
      if (ended.code !== quotaExit) return { end: 'failed', cause: 'exit', message, said, ...used };
      const until = retryTime(await readTail(stderr, lastLines), Date.now());
      return { end: 'failed', cause: 'quota', ...defined({ until }), message, said, ...used };
    }
    case 'signal': {
      const message = await failureMessage(`ended by ${ended.signal}`, stderr);
      return { end: 'failed', cause: 'signal', message, said, ...used };
    }
    case 'not-started':
      return notStarted(ended.message);
    default:
      return ended satisfies never;
  }
}

/** A program that is not asked again says all it can with its exit code. */
function exitCode({ returns, repair }: CommandOptions): Pick<Extract<Turn, { end: 'returned' }>, 'exitCodeIsEnough'> {
  return returns === undefined && repair === undefined ? { exitCodeIsEnough: true } : {};
}

function notStarted(message: string): Turn {
  return { end: 'failed', cause: 'not-started', message, said: '' };
}

function promptFile({ outputFile }: DriverTask): string {
  return `${outputFile}.prompt`;
}

/** It reads its prompt and the return to repair, and says what it used. */
function confined({ task, more }: CommandTurn, file: string): Confinement | undefined {
  const { confinement } = task;
  if (confinement === undefined) return undefined;
  const read = [promptFile(task), ...(more['DIVISI_RETURN_FILE'] === undefined ? [] : [more['DIVISI_RETURN_FILE']])];
  return withMounts(confinement, [
    ...read.map((path) => ({ as: 'readable', path }) as const),
    { as: 'writable', path: dirname(usageFile(file)) },
  ]);
}

/** `spawnMarked` adds the marker's. */
function variables({ task, settings, more }: CommandTurn, file: string): Record<string, string> {
  return {
    DIVISI_TASK: task.task,
    DIVISI_ATTEMPT: String(task.attempt),
    DIVISI_AGENT: task.agent,
    DIVISI_TIER: task.tier,
    DIVISI_PROMPT_FILE: promptFile(task),
    DIVISI_REPORT_PATH: task.reportPath,
    DIVISI_WORKLOG_PATH: task.worklogPath,
    DIVISI_USAGE_FILE: usageFile(file),
    DIVISI_PROJECT: settings.project,
    DIVISI_STATE: stateRoot(settings.own),
    ...task.variables,
    ...more,
  };
}
