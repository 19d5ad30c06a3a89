/** Runs one turn of a one-shot program: starts its process, follows it, and decides how the turn ended. */
import { defined } from '../../base/defined.ts';
import { rm } from 'node:fs/promises';
import { messageOf } from '../../base/error.ts';
import { type Confinement, readingRoom, withMounts } from '../../process/confine/confinement.ts';
import { type MarkedProcess, spawnMarked } from '../../process/spawn-marked.ts';
import { agentEnvironment } from '../agent-environment.ts';
import { confineClient } from '../client-mounts.ts';
import type { DriverNote, DriverTask, Turn } from '../driver.ts';
import { folderInside } from '../../workspace/project-path.ts';
import { type OutputWatch, watchOutput } from '../../process/output-limit.ts';
import { writeReturn, markEnd, readTurnOutput } from '../turn-output.ts';
import type { EntryReader } from '../../dialects/entry.ts';
import { type HopelessError, hopelessError, hopelessTurn } from '../hopeless-error.ts';
import { limitedTurn, type LimitMeter } from '../limit-meter.ts';
import { type TurnUsage, withUsage } from '../../dialects/usage.ts';
import { type FollowedProgram, followProgram } from './follow-program.ts';
import type { OneShotCall } from './one-shot.ts';
import type { OneShotOptions } from './one-shot-options.ts';
import { type TurnAccount, turnAccount } from './turn-account.ts';
import { type OpenFiles, prepareFiles, type TurnFiles, turnFiles, writeFiles } from './turn-files.ts';
import { cannotConverse, explainFailure } from './turn-failure.ts';
import { turnRecorder } from './turn-recorder.ts';

export interface TurnRequest {
  readonly settings: OneShotOptions;
  readonly task: DriverTask;
  readonly prompt: string;
  readonly isReview: boolean;
  /** To resume. */
  readonly conversation?: string;
  /** The id of a new one. */
  readonly newConversation?: string;
  /** Usage of the conversation before this turn, if known. */
  readonly before?: TurnUsage;
  /** 0 for the first turn. */
  readonly repair: number;
  /** Of the whole conversation. */
  readonly meter: LimitMeter;
  readonly cancelled: AbortSignal;
  /** Called as soon as the process exists; never after `cancelled` is aborted. */
  readonly spawned: (child: MarkedProcess) => void;
  /** Called once the program names its conversation. */
  readonly onConversation: (id: string) => void;
  readonly note: (note: DriverNote) => void;
}

export interface TurnReport {
  readonly turn: Turn;
  /** The program refused the id of the conversation, and did nothing. */
  readonly idIsUnusable: boolean;
  /** Usage as the program reported it, before the earlier turns are subtracted. */
  readonly counted?: TurnUsage;
}

const mebibyte = 1024 * 1024;

export async function runOneShotTurn(run: TurnRequest): Promise<TurnReport> {
  const files = turnFiles(run.task, run.settings.profile.name, run.repair);
  let open: OpenFiles;
  try {
    open = await prepareFiles(files);
  } catch (error) {
    return ended(notStarted(messageOf(error)));
  }
  try {
    return await turnOf(run, files, open);
  } finally {
    await open.handle.close();
    await open.said.close();
    await rm(files.folder, { recursive: true, force: true });
  }
}

async function turnOf(run: TurnRequest, files: TurnFiles, open: OpenFiles): Promise<TurnReport> {
  if (run.cancelled.aborted) return keep(files, { end: 'cancelled', said: '' });
  const { settings, task } = run;
  const environment = { ...agentEnvironment(settings), ...task.variables };
  const call = settings.profile.oneShot.call({
    ...run,
    left: run.meter.left(),
    strength: settings.tiers[task.tier],
    files: files.folder,
    isConfined: task.confinement?.nests === false,
    environment,
  });
  await writeFiles(files.folder, call.write ?? {});
  for (const path of call.folders ?? []) await folderInside(task.directory, path).catch(() => undefined);
  const most = settings.mostOutput ?? 64 * mebibyte;
  // Opened before the program can replace the files.
  const watch = watchOutput([files.transcript, files.stderr], most, () => void child.stop('at-once'));
  const child = spawn(run, files, call, environment);
  run.spawned(child);
  if (child.pid !== undefined) run.note({ kind: 'started', pid: child.pid });

  const hopeless = hopelessError(settings.profile.failures, task.directory, () => void child.stop('gently'));
  const account = turnAccount(metered(run, hopeless));
  const recorder = turnRecorder({ ...run, output: open.said });
  const { cancelled } = run;
  const followed = await followProgram({ child, transcript: open, stderr: files.stderr, account, recorder, cancelled });
  const wasCancelled = cancelled.aborted;
  watch.end();
  if (wasCancelled) {
    return keep(files, { end: 'cancelled', said: await readTurnOutput(files.said), ...usedIn(run, account) });
  }
  const error = hopeless.found();
  if (error !== undefined) {
    const said = await readTurnOutput(files.said);
    return keep(files, { ...hopelessTurn(error, said), ...usedIn(run, account) });
  }
  return theEnd(run, files, account, followed, watch, most);
}

function spawn(
  { settings, task, cancelled }: TurnRequest,
  files: TurnFiles,
  { args, variables, input, changesOnly }: OneShotCall,
  environment: Readonly<Record<string, string>>,
): MarkedProcess {
  return spawnMarked(
    {
      argv: [...(settings.program ?? [settings.profile.oneShot.program]), ...args],
      directory: task.directory,
      environment: { ...environment, ...variables },
      marker: { run: task.run, delegation: task.delegation },
      confinement: confined(settings, task, files, { ...environment, ...variables }, changesOnly),
      ...defined({ input }),
      stdout: files.transcript,
      stderr: files.stderr,
    },
    cancelled,
  );
}

function confined(
  { profile: { name, folders }, home }: OneShotOptions,
  { confinement, directory }: DriverTask,
  files: TurnFiles,
  environment: Readonly<Record<string, string>>,
  changesOnly: readonly string[] | undefined,
): Confinement | undefined {
  if (confinement === undefined) return undefined;
  const client = { name, folders, environment, hasOwnHome: home !== undefined };
  const given = changesOnly === undefined ? confinement : readingRoom(confinement, directory, changesOnly);
  return withMounts(confineClient(given, client), [{ as: 'readable', path: files.folder }]);
}

async function theEnd(
  run: TurnRequest,
  files: TurnFiles,
  account: TurnAccount,
  { end, survived }: FollowedProgram,
  watch: OutputWatch,
  most: number,
): Promise<TurnReport> {
  if (end.kind === 'not-started') return keep(files, notStarted(end.message));
  const used = usedIn(run, account);
  const reported = account.end();
  const hasExited = end.kind === 'exit' && end.code === 0;
  if (reported?.kind === 'returned' && hasExited && !watch.exceeded()) {
    const { text, via } = reported;
    await writeReturn(files.said, text);
    const counted = account.usage();
    const turn: Turn = { end: 'returned', text, ...defined({ via }), ...used };
    return { turn, idIsUnusable: false, ...defined({ counted }) };
  }
  const said = await readTurnOutput(files.said);
  const limit = reported?.kind === 'error' && reported.limit ? run.meter.textOf(reported.limit) : run.meter.reached();
  if (limit !== undefined) return keep(files, { ...limitedTurn(limit), said, ...used });
  if (watch.exceeded()) {
    const message = `stopped: it wrote more than ${Math.ceil(most / mebibyte)} MiB`;
    return keep(files, { end: 'failed', cause: 'signal', message, said, ...used });
  }
  const { failures, oneShot } = run.settings.profile;
  const failure = await explainFailure({ account, end, stderr: files.stderr, survived, failures });
  const { turn } = await keep(files, { end: 'failed', ...failure, said, ...used });
  const hasId = run.conversation !== undefined || run.newConversation !== undefined;
  const idIsUnusable = hasId && (await cannotConverse(account, files.stderr, oneShot.unusableConversation));
  return { turn, idIsUnusable };
}

/** A count of the whole conversation says nothing about this turn before its end. */
function metered({ settings: { profile }, meter }: TurnRequest, hopeless: HopelessError): EntryReader {
  const read = profile.oneShot.reader();
  return (line) => {
    const entries = read(line);
    for (const entry of entries) {
      meter.take(entry);
      hopeless.take(entry);
      if (entry.kind === 'usage' && profile.oneShot.countsConversation !== true) meter.use(entry.usage ?? {});
    }
    return entries;
  };
}

/** Unknown for a conversation that another process started: its usage so far cannot be subtracted. */
function usedIn({ settings, conversation, before }: TurnRequest, account: TurnAccount): { readonly usage?: TurnUsage } {
  const counted = account.usage();
  if (counted === undefined || conversation === undefined || settings.profile.oneShot.countsConversation !== true) {
    return withUsage(counted);
  }
  if (counted.tokens === undefined || before?.tokens === undefined) return {};
  return withUsage({ ...counted, tokens: Math.max(0, counted.tokens - before.tokens) });
}

async function keep(files: TurnFiles, turn: Turn): Promise<TurnReport> {
  return ended(await markEnd(files.said, turn));
}

function ended(turn: Turn): TurnReport {
  return { turn, idIsUnusable: false };
}

function notStarted(message: string): Turn {
  return { end: 'failed', cause: 'not-started', message, said: '' };
}
