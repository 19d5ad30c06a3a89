/**
 * One-shot driver: runs a program such as `claude -p`, one process for each turn. Owns the conversation; the profile
 * (`one-shot.ts`) has the program's command line and dialect.
 *
 *   first turn: a new conversation, or that of the previous attempt; if the program does not know it, a new one with its id
 *   repair:     a new process that resumes the conversation by the id the program reported
 *
 * The id is noted before the process starts, where the program takes one: an attempt that is killed at once is continued, too.
 *
 * A turn has returned only if the program reports it, never because its process exited with 0.
 */
import { randomUUID } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { OneShotOptions } from './one-shot-options.ts';
import type { MarkedProcess } from '../../process/spawn-marked.ts';
import { limitedTurn, limitMeter, spentLimit } from '../limit-meter.ts';
import { isConversationId } from '../conversation-id.ts';
import type { Conversation, Driver, DriverNote, DriverTask, Turn } from '../driver.ts';
import type { TurnUsage } from '../../dialects/usage.ts';
import { type TurnReport, runOneShotTurn } from './one-shot-turn.ts';
import { compressTranscript } from '../transcript/compress-transcript.ts';
import { writeReturn, lastTurn, readTurnOutput } from '../turn-output.ts';
import { transcriptFile } from '../transcript/transcript-file.ts';
import { jsonLines } from './json-lines.ts';
import { turnAccount } from './turn-account.ts';
import { reopenTranscript } from './turn-files.ts';

export function oneShotDriver(settings: OneShotOptions): Driver {
  const { name, profile } = settings;
  return {
    name,
    returnWay: () => profile.oneShot.returnWay,
    start: (task, signal, note) => converse(settings, task, signal, note),
    recover: (task) => recoverTurn(task, profile),
  };
}

/** Checks the id again: a program made it up in an earlier attempt. */
function resumedConversation({ name, profile }: OneShotOptions, { resumes }: DriverTask): string | undefined {
  const isOurs = resumes?.driver === name && (profile.oneShot.resumesElsewhere || resumes.isHere);
  return isOurs && isConversationId(resumes.id) ? resumes.id : undefined;
}

interface ConversationToUse {
  readonly conversation?: string;
  readonly newConversation?: string;
}

/** In order, until the program accepts one. The id of a conversation that was never written is free for a new one. */
function conversationsToTry({ profile }: OneShotOptions, resumed: string | undefined): ConversationToUse[] {
  const resuming = resumed === undefined ? [] : [{ conversation: resumed }];
  if (profile.oneShot.takesConversationId !== true) return resuming;
  const again = resumed !== undefined && uuid.test(resumed) ? [resumed] : [];
  return [...resuming, ...[...again, randomUUID()].map((id) => ({ newConversation: id }))];
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function converse(
  settings: OneShotOptions,
  task: DriverTask,
  signal: AbortSignal,
  note: (note: DriverNote) => void,
): Conversation {
  const closing = new AbortController();
  const cancelled = AbortSignal.any([signal, closing.signal]);
  const children: MarkedProcess[] = [];
  const resumed = resumedConversation(settings, task);
  let reported: string | undefined;
  let noted: string | undefined;
  let counted: TurnUsage | undefined;
  let repairs = 0;
  const meter = limitMeter(task.limits, () => children.forEach((child) => void child.stop('gently')));

  const noteConversation = (id: string): void => {
    if (id === noted) return;
    noted = id;
    note({ kind: 'conversation', driver: settings.name, id });
  };
  const onConversation = (id: string): void => {
    reported = id;
    noteConversation(id);
  };
  const run = async (prompt: string, id: ConversationToUse): Promise<TurnReport> => {
    const ended = await runOneShotTurn({
      settings,
      task,
      prompt,
      isReview: task.isReview,
      ...id,
      ...defined({ before: counted }),
      repair: repairs,
      meter,
      cancelled,
      spawned: (child) => children.push(child),
      onConversation,
      note,
    });
    counted = ended.counted;
    meter.endTurn(ended.turn.usage);
    return ended;
  };

  async function begin(): Promise<Turn> {
    for (const id of conversationsToTry(settings, resumed)) {
      const own = id.conversation ?? id.newConversation;
      if (own !== undefined && !cancelled.aborted) noteConversation(own);
      reported = undefined;
      const { turn, idIsUnusable } = await run(task.prompt, id);
      if (!idIsUnusable) return turn;
    }
    return (await run(task.prompt, {})).turn;
  }

  const first = begin();
  let last = first;
  return {
    first,
    repair: (message) => {
      if (reported === undefined) return null;
      repairs += 1;
      const limit = spentLimit(meter);
      if (limit !== undefined) return Promise.resolve(limitedTurn(limit));
      last = run(message, { conversation: reported }).then(({ turn }) => turn);
      return last;
    },
    // A program that ended may have left children running.
    close: async () => {
      closing.abort();
      await Promise.all(children.map((child) => child.stop('at-once')));
      await last.catch(() => undefined);
      // The last return is stored elsewhere by now. A transcript that cannot be compressed stays as it is.
      await compressTranscript(transcriptFile(task.transcript, settings.profile.name)).catch(() => undefined);
    },
  };
}

/**
 * The return of the last turn before the orchestrator died. The program writes the transcript itself, so a turn that continued
 * without us is complete there. Only a return that the program reports counts, not the words shown until then.
 */
async function recoverTurn(task: DriverTask, profile: OneShotOptions['profile']): Promise<string | null> {
  const { file, end } = await lastTurn(task.outputFile);
  if (end === 'unreturned') return null;
  if (end === 'returned') return (await readTurnOutput(file)) || null;
  const opened = await reopenTranscript(file, transcriptFile(task.transcript, profile.name));
  if (opened === null) return null;
  try {
    const account = turnAccount(profile.oneShot.reader());
    const lines = jsonLines(opened.handle, opened.from);
    for await (const line of lines.next()) account.take(line);
    lines.last().forEach(account.take);
    const reported = account.end();
    if (reported?.kind !== 'returned' || reported.text === '') return null;
    // The transcript may be compressed before this return is recorded in the ledger.
    await writeReturn(file, reported.text);
    return reported.text;
  } finally {
    await opened.handle.close();
  }
}
