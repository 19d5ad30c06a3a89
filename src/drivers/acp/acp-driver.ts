/**
 * ACP driver: runs any agent that speaks the Agent Client Protocol over standard input and output. Differences between programs
 * are data in their profiles.
 *
 * The agent returns by calling `submit_result`, or by its last message if its client accepts no tools from us. A repair is
 * another turn of the same session, and so is continuing after a refused permission that ended a turn.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../base/error.ts';
import type { Conversation, Driver, DriverNote, DriverTask, Turn } from '../driver.ts';
import { defined } from '../../base/defined.ts';
import { limitNames } from '../../base/delegation-limits.ts';
import { hopelessError, hopelessTurn } from '../hopeless-error.ts';
import { limitedTurn, limitMeter, spentLimit } from '../limit-meter.ts';
import { failureMessage } from '../failure-message.ts';
import { watchOutput } from '../../process/output-limit.ts';
import { newFile } from '../../process/output-file.ts';
import {
  beginTurn,
  writeReturn,
  keepSubmission,
  markEnd,
  recoverReturn,
  turnOutputFile,
  outputWriter,
} from '../turn-output.ts';
import { usageOf, withUsage } from '../../dialects/usage.ts';
import { type AcpClient, type EndClient, type Hearing, startClient } from './acp-client.ts';
import { ProgramEnded } from './acp-program.ts';
import type { AcpOptions } from './acp-options.ts';
import type { AcpProfile } from '../profiles/profile.ts';
import { editors } from '../permission-policy.ts';
import { AcpRefusal } from './connection.ts';
import { continuations, continueMessage, endingRefusals, type Refusal } from './refused-turn.ts';
import {
  answeredTurn,
  costOf,
  type EndedTurn,
  leftovers,
  refusedTurn,
  type ConversationUsage,
  spentAfter,
} from './turn-end.ts';
import { meterUpdate, turnUpdates } from './turn-updates.ts';

export function acpDriver(settings: AcpOptions): Driver {
  return {
    name: settings.name,
    returnWay: (task) => (mayWriteReport(settings.way, task) ? 'tool' : 'tool-report'),
    start: (task, signal, note) => converse(settings, task, signal, note),
    recover: (task) => recoverReturn(task.outputFile),
  };
}

/** A reviewer in a mode that only reads, and an agent without a tool that writes, cannot write their report. */
function mayWriteReport(way: AcpProfile, { isReview, tools }: Pick<DriverTask, 'isReview' | 'tools'>): boolean {
  if (isReview && way.reviewsReadOnly === true) return false;
  return tools === undefined || tools.some((tool) => writers.has(tool.replace(/\(.*$/s, '')));
}

const writers = new Set([...editors, 'Bash']);

/** Milliseconds for an agent to end a cancelled turn. */
const patience = 2000;
const mostStarts = 4;

function converse(
  settings: AcpOptions,
  task: DriverTask,
  signal: AbortSignal,
  note: (note: DriverNote) => void,
): Conversation {
  const closing = new AbortController();
  const limited = new AbortController();
  const meter = limitMeter(task.limits, () => {
    client?.submission.close();
    limited.abort();
  });
  const hopeless = hopelessError(settings.failures, task.directory, () => {
    client?.submission.close();
    limited.abort();
  });
  const stopped = AbortSignal.any([signal, closing.signal, limited.signal]);
  const howToStop = (): 'gently' | 'at-once' => (signal.aborted && signal.reason === 'at-once' ? 'at-once' : 'gently');
  const stderr = `${task.outputFile}.stderr`;
  let client: AcpClient | undefined;
  let end: EndClient | undefined;
  let turns = 0;
  let before: ConversationUsage = { tokens: 0, cost: 0 };
  let answered: Answer = {};

  const mayContinue = continuations();
  let refusals: readonly Refusal[] = [];

  /** All turns up to one that a refusal did not end. */
  async function turnsOf(prompt: string): Promise<Turn> {
    let ended = await turn(prompt);
    while (refusals.length > 0 && ended.end === 'failed' && ended.cause === 'environment' && mayContinue(refusals)) {
      const { usage } = ended;
      turns += 1;
      const next = await turn(continueMessage(refusals));
      ended = { ...next, ...withUsage(usageOf([usage, next.usage])) };
    }
    return ended;
  }

  async function turn(prompt: string): Promise<Turn> {
    const file = turnOutputFile(task.outputFile, turns);
    refusals = [];
    try {
      await beginTurn(file);
      if (turns === 0) await newFile(stderr, '');
    } catch (error) {
      return { end: 'failed', cause: 'not-started', message: messageOf(error), said: '' };
    }
    const spent = turns === 0 ? undefined : spentLimit(meter);
    if (spent !== undefined) return markEnd(file, limitedTurn(spent));
    const watch = watchOutput([file, stderr], mostOutput, () => void end?.('at-once'));
    const output = outputWriter(file);
    const updates = turnUpdates((text) => output.add(text), settings.way.noise);
    const ended = (submitted?: string): EndedTurn => {
      return { failures: settings.failures, way: settings.way, updates, submitted, before };
    };
    const over = new AbortController();
    const taken = await Promise.race([
      ask(prompt, {
        updated: (params) => {
          updates.take(params);
          meterUpdate(meter, params);
          meter.use(defined({ cost: costOf(ended()) }));
        },
        refused: (refusal) => updates.refuse(refusal),
      }).then(
        (response) => {
          answered = response;
          const submitted = client?.submission.taken();
          if (submitted === undefined) refusals = endingRefusals(updates.unanswered(), response);
          return answeredTurn(ended(submitted), response);
        },
        (error: unknown) => limitIn(error) ?? brokenTurn(error, ended()),
      ),
      onceAborted(stopped, over.signal).then(() => stop(ended)),
    ]);
    over.abort();
    // Anything said from now on belongs to no turn.
    client?.listen(undefined);
    watch.end();
    before = spentAfter(ended(), answered);
    await output.written();
    const kept =
      stopped.aborted && taken.end !== 'cancelled' ? cutOff(taken) : watch.exceeded() ? flooded(taken) : taken;
    const turnEnd = atLimit(kept);
    meter.endTurn(turnEnd.usage);
    if (turnEnd.end === 'returned') await writeReturn(file, turnEnd.text);
    return markEnd(file, turnEnd);
  }

  /** Only a limit or a hopeless error stopped the turn, not a person or the session. */
  function atLimit(turn: Turn): Turn {
    const why = meter.reached();
    const error = hopeless.found();
    if (turn.end !== 'cancelled' || signal.aborted || closing.signal.aborted) return turn;
    if (error !== undefined) return { ...hopelessTurn(error, turn.said), ...withUsage(turn.usage) };
    if (why === undefined) return turn;
    return { ...limitedTurn(why), said: turn.said, ...withUsage(turn.usage) };
  }

  /** The client stopped the turn itself, at a limit it was given. */
  function limitIn(error: unknown): Turn | undefined {
    if (!(error instanceof AcpRefusal)) return undefined;
    const { limitErrors = {} } = settings.way;
    const name = limitNames.find((one) => limitErrors[one]?.test(error.message) === true);
    return name && limitedTurn(meter.textOf(name));
  }

  async function ask(prompt: string, heard: Hearing): Promise<Answer> {
    if (stopped.aborted) throw new ProgramEnded({ kind: 'not-started', message: 'cancelled before it started' });
    client ??= await startWithRetry();
    if (client.isResumed && turns === 0) before = {};
    client.submission.forget();
    client.listen(heard);
    answering = client.prompt(prompt);
    return answering;
  }
  let answering: Promise<Answer> | undefined;

  async function startWithRetry(starts = 1): Promise<AcpClient> {
    try {
      return await startClient(settings, task, {
        note,
        spawned: (how) => void (end = how),
        // Stored before the turn ends, to survive this process.
        submitted: (json) => keepSubmission(turnOutputFile(task.outputFile, turns), json),
        refuse: async (json) => {
          const why = await task.refuse(json);
          if (why !== undefined) meter.invalid();
          return why;
        },
        entry: (entry) => hopeless.take(entry),
        limits: meter.left(),
      });
    } catch (error) {
      const words = error instanceof AcpRefusal ? `${error.message} ${JSON.stringify(error.data)}` : '';
      if (starts === mostStarts || stopped.aborted || settings.way.startAgain?.test(words) !== true) throw error;
      await end?.('at-once');
      await sleep(starts * 500);
      return startWithRetry(starts + 1);
    }
  }

  /** Waits for the end of the turn, which may carry its usage. */
  async function stop(ended: () => EndedTurn): Promise<Turn> {
    let last: Turn | undefined;
    if (howToStop() === 'gently' && client !== undefined && answering !== undefined) {
      // Limited: the agent may not react.
      client.cancel();
      const answer = answering.then(
        (response) => answeredTurn(ended(), response),
        () => undefined,
      );
      last = await Promise.race([answer, sleep(patience).then(() => undefined)]);
    }
    await end?.(howToStop());
    const submitted = client?.submission.taken();
    const { usage = last?.usage } = leftovers(ended());
    const said = submitted ?? ended().updates.lastWords();
    return { end: 'cancelled', said, ...withUsage(last?.usage ?? usage) };
  }

  async function brokenTurn(error: unknown, ended: EndedTurn): Promise<Turn> {
    if (error instanceof AcpRefusal) return refusedTurn(ended, error);
    const left = leftovers(ended);
    if (!(error instanceof ProgramEnded)) return { end: 'failed', cause: 'exit', message: messageOf(error), ...left };
    const { end: how } = error;
    if (how.kind === 'not-started') return { end: 'failed', cause: 'not-started', message: how.message, ...left };
    const words = how.kind === 'exit' ? `exit code ${how.code}` : `ended by ${how.signal}`;
    const message = await failureMessage(words, stderr);
    return { end: 'failed', cause: how.kind, message, ...left };
  }

  const first = turnsOf(task.prompt);
  let last = first;
  return {
    first,
    repair: (message) => {
      if (client === undefined) return null;
      turns += 1;
      last = turnsOf(message);
      return last;
    },
    close: async () => {
      closing.abort();
      await last.catch(() => undefined);
      await end?.(howToStop());
    },
  };
}

const mebibyte = 1024 * 1024;
const mostOutput = 64 * mebibyte;

function flooded({ usage, ...turn }: Turn): Turn {
  const message = `stopped: it said more than ${mostOutput / mebibyte} MiB`;
  const said = turn.end === 'returned' ? turn.text : turn.said;
  return { end: 'failed', cause: 'signal', message, said, ...withUsage(usage) };
}

/** A cancelled turn, however the agent ended it. The contract decides whether a return in it is whole. */
function cutOff(turn: Exclude<Turn, { end: 'cancelled' }>): Turn {
  const said = turn.end === 'returned' ? turn.text : turn.said;
  return { end: 'cancelled', said, ...withUsage(turn.usage) };
}

type Answer = Awaited<ReturnType<AcpClient['prompt']>>;

/** Never resolves once `over` is aborted. */
async function onceAborted(signal: AbortSignal, over: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true, signal: over }));
}
