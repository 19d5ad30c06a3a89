/** Shows a checkpoint as a form in the client and turns the person's choice into an answer to the run. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { DivisiError } from '../base/error.ts';
import { openCheckpoints, type RunState } from '../core/state/state.ts';
import { answerRun } from '../runtime/runtime.ts';
import { readLedger } from '../project/project-ledger.ts';
import { longestNote } from '../core/decide/answer-events.ts';
import { findRun } from '../project/find-run.ts';
import { answerWords, checkpointBrief } from '../views/brief/checkpoint-brief.ts';
import { checkpointQuestion } from '../views/run/checkpoint-question.ts';
import type { Caller } from './caller.ts';
import type { Place } from './place.ts';

/** `RUN/CHECKPOINT`: an answer finds its question by it, in whatever process it arrives. */
const keyPattern = /^(run_[0-9A-Z]{26})\/([\w-]{1,64})$/;

export interface Question {
  readonly key: string;
  readonly form: ElicitRequestFormParams;
}

/** About the checkpoint of this id, or the first that is open; undefined where none is. */
export function questionFor(state: RunState, named?: string): Question | undefined {
  const open = openCheckpoints(state).find(({ id }) => named === undefined || id === named);
  if (open === undefined) return undefined;
  const { run, plan } = state.created;
  const question = checkpointQuestion(state, open);
  const { approve, reject } = answerWords(question);
  const form: ElicitRequestFormParams = {
    message: checkpointBrief(question, plan.title),
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'Decision', enum: ['approve', 'reject'], enumNames: [approve, reject] },
        note: { type: 'string', title: 'Note', description: 'For the agent that continues; may be empty' },
      },
      required: ['decision'],
    },
  };
  return { key: `${run}/${open.id}`, form };
}

const replySchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.optional(z.object({ decision: z.enum(['approve', 'reject']), note: z.optional(z.string()) })),
});

export interface Reply {
  readonly run: string;
  readonly checkpoint: string;
  /** Null where the person did not choose. */
  readonly choice: { readonly approved: boolean; readonly note?: string } | null;
}

/** The reply to a question; undefined in the first round. */
export function replyIn({ replies }: Pick<Caller, 'replies'>): Reply | undefined {
  for (const [key, value] of Object.entries(replies)) {
    const [, run, checkpoint] = keyPattern.exec(key) ?? [];
    if (run === undefined || checkpoint === undefined) continue;
    const content = replySchema.safeParse(value).data;
    const chosen = content?.action === 'accept' ? content.content : undefined;
    if (chosen === undefined) return { run, checkpoint, choice: null };
    const note = chosen.note?.trim().slice(0, longestNote) ?? '';
    const choice = { approved: chosen.decision === 'approve', ...(note === '' ? {} : { note }) };
    return { run, checkpoint, choice };
  }
  return undefined;
}

/** Another answer may have arrived while the form was open: it counts, and the run continues. */
export async function giveReply(place: Place, reply: Reply): Promise<void> {
  if (reply.choice === null) return;
  const { project, environment, warn } = place;
  const ledger = readLedger(project);
  const row = findRun(ledger, reply.run);
  ledger.close();
  const answer = { ...reply.choice, checkpoint: reply.checkpoint };
  const options = { project, environment, warn, seen: () => undefined, command: `divisi mcp answer ${row.run}` };
  try {
    await answerRun(row, answer, options);
  } catch (error) {
    if (!(error instanceof DivisiError && error.code === 'CHECKPOINT_UNKNOWN')) throw error;
  }
}
