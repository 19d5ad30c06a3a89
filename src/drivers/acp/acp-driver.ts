/**
 * ACP driver: runs any agent that speaks the Agent Client Protocol over standard input and output. Differences between programs
 * are data in their profiles.
 *
 * The agent returns by calling `submit_result`, or by its last message if its client accepts no tools from us. A repair is
 * another turn of the same session.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../base/error.ts';
import type { Conversation, Driver, DriverNote, DriverTask, Turn } from '../driver.ts';
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
import { withUsage } from '../../dialects/usage.ts';
import { type AcpClient, type EndClient, startClient } from './acp-client.ts';
import { ProgramEnded } from './acp-program.ts';
import type { AcpOptions } from './acp-options.ts';
import { AcpRefusal } from './connection.ts';
import {
  answeredTurn,
  type EndedTurn,
  leftovers,
  refusedTurn,
  type ConversationUsage,
  spentAfter,
} from './turn-end.ts';
import { turnUpdates } from './turn-updates.ts';

export function acpDriver(settings: AcpOptions): Driver {
  return {
    name: settings.name,
    returnWay: () => 'tool',
    start: (task, signal, note) => converse(settings, task, signal, note),
    recover: (task) => recoverReturn(task.outputFile),
  };
}

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
  const stopped = AbortSignal.any([signal, closing.signal]);
  const howToStop = (): 'gently' | 'at-once' => (signal.aborted && signal.reason === 'at-once' ? 'at-once' : 'gently');
  const stderr = `${task.outputFile}.stderr`;
  let client: AcpClient | undefined;
  let end: EndClient | undefined;
  let repairs = 0;
  let before: ConversationUsage = { tokens: 0, cost: 0 };
  let answered: Answer = {};

  async function turn(prompt: string): Promise<Turn> {
    const file = turnOutputFile(task.outputFile, repairs);
    try {
      await beginTurn(file);
      if (repairs === 0) await newFile(stderr, '');
    } catch (error) {
      return { end: 'failed', cause: 'not-started', message: messageOf(error), said: '' };
    }
    const watch = watchOutput([file, stderr], mostOutput, () => void end?.('at-once'));
    const output = outputWriter(file);
    const updates = turnUpdates((text) => output.add(text), settings.way.noise);
    const ended = (submitted?: string): EndedTurn => {
      return { failures: settings.failures, way: settings.way, updates, submitted, before };
    };
    const over = new AbortController();
    const taken = await Promise.race([
      ask(prompt, (params) => updates.take(params)).then(
        (response) => {
          answered = response;
          return answeredTurn(ended(client?.submission.taken()), response);
        },
        (error: unknown) => brokenTurn(error, ended()),
      ),
      onceAborted(stopped, over.signal).then(() => stop(ended)),
    ]);
    over.abort();
    // Anything said from now on belongs to no turn.
    client?.listen(() => undefined);
    watch.end();
    before = spentAfter(ended(), answered);
    await output.written();
    const kept =
      stopped.aborted && taken.end !== 'cancelled' ? cutOff(taken) : watch.exceeded() ? flooded(taken) : taken;
    if (kept.end === 'returned') await writeReturn(file, kept.text);
    return markEnd(file, kept);
  }

  async function ask(prompt: string, updated: (params: unknown) => void): Promise<Answer> {
    if (stopped.aborted) throw new ProgramEnded({ kind: 'not-started', message: 'cancelled before it started' });
    client ??= await startWithRetry();
    if (client.isResumed && repairs === 0) before = {};
    client.submission.forget();
    client.listen(updated);
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
        submitted: (json) => keepSubmission(turnOutputFile(task.outputFile, repairs), json),
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

  const first = turn(task.prompt);
  let last = first;
  return {
    first,
    repair: (message) => {
      if (client === undefined) return null;
      repairs += 1;
      last = turn(message);
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
