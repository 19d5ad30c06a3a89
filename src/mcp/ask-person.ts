/** Shows a checkpoint as a form in the client and turns the person's choice into an answer to the run. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { DivisiError } from '../base/error.ts';
import { openCheckpoints, type RunState } from '../core/state/state.ts';
import { answerRun } from '../runtime/runtime.ts';
import { readLedger } from '../project/project-ledger.ts';
import { longestNote } from '../core/decide/answer-events.ts';
import { findRun } from '../project/find-run.ts';
import { checkpointBrief } from '../views/brief/checkpoint-brief.ts';
import { checkpointQuestion } from '../views/run/checkpoint-question.ts';
import type { Caller, FormRequest } from './caller.ts';
import type { ServerDeps } from './server-deps.ts';

/** `RUN/CHECKPOINT`: matches a reply to its checkpoint, even in another server process. */
const keyPattern = /^(run_[0-9A-Z]{26})\/([\w-]{1,64})$/;

/**
 * For the given checkpoint, or the first open one; undefined when none is open. Accept and Decline are the decision. The form is never without a
 * field: Codex without approvals accepts an empty one by itself.
 */
export function questionFor(
  state: RunState,
  { hasDecline }: Pick<Caller, 'hasDecline'>,
  named?: string,
): FormRequest | undefined {
  const open = openCheckpoints(state).find(({ id }) => named === undefined || id === named);
  if (open === undefined) return undefined;
  const { run, plan } = state.created;
  const question = checkpointQuestion(state, open);
  const form: ElicitRequestFormParams = {
    message: checkpointBrief(question, plan.title),
    requestedSchema: {
      type: 'object',
      properties: hasDecline ? { note } : { decision },
    },
  };
  return { key: `${run}/${open.id}`, form };
}

const note = {
  type: 'string' as const,
  title: 'Note',
  description: 'For the agent that continues; may be empty',
};

/** Has the choices in the words of the message. */
const decision = {
  type: 'string' as const,
  title: 'Decision',
  enum: ['accept', 'decline'],
  enumNames: ['Accept', 'Decline'],
  default: 'accept',
};

const replySchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.optional(
    z.nullable(z.object({ decision: z.optional(z.enum(['accept', 'decline'])), note: z.optional(z.string()) })),
  ),
});

export interface CheckpointReply {
  readonly run: string;
  readonly checkpoint: string;
  /** Null where the person did not choose. */
  readonly choice: { readonly approved: boolean; readonly note?: string } | null;
}

/** Undefined in the first round. */
export function replyIn({ replies }: Pick<Caller, 'replies'>): CheckpointReply | undefined {
  for (const [key, value] of Object.entries(replies)) {
    const [, run, checkpoint] = keyPattern.exec(key) ?? [];
    if (run === undefined || checkpoint === undefined) continue;
    const content = replySchema.safeParse(value).data;
    if (content === undefined || content.action === 'cancel') return { run, checkpoint, choice: null };
    const note = content.content?.note?.trim().slice(0, longestNote) ?? '';
    const choice = {
      approved: content.action === 'accept' && content.content?.decision !== 'decline',
      ...(note === '' ? {} : { note }),
    };
    return { run, checkpoint, choice };
  }
  return undefined;
}

/** If the checkpoint was answered elsewhere while the form was open, that answer counts and the run continues. */
export async function sendReply(deps: ServerDeps, reply: CheckpointReply): Promise<void> {
  if (reply.choice === null) return;
  const { project, environment, warn } = deps;
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
