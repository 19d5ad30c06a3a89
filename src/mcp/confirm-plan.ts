/**
 * Asks a person to confirm a plan that a model named: the model may have written it, commands included. Commands run
 * only exactly as a person has seen them. An architect's plan is shown in full and, where a person can be asked,
 * starts only after a yes.
 */
import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { flatten, oneLine } from '../base/text.ts';
import { commandLine } from '../plan/values/command-words.ts';
import { isArchitectPlan } from '../runtime/plans/store-architect-plan.ts';
import { type PlanCommands, planCommands, readProposed } from '../runtime/plans/plan-run.ts';
import { type ProposedPlan, proposedText } from '../views/run/proposed-plan.ts';
import type { Caller, ToolAnswer } from './caller.ts';
import type { ServerDeps } from './server-deps.ts';

/** `confirmed`: the hash of the confirmed plan, or `none`; absent where no confirmation is needed. */
export type Confirmation = { readonly go: { readonly confirmed?: string } } | ToolAnswer;

const no: ToolAnswer = { text: 'Not started: the person declined.' };

const replySchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.optional(z.object({ decision: z.enum(['run', 'stop']) })),
});

/** Characters a person can review in a form. */
const mostShown = 6000;

/** Without a person to ask, the plan's commands do not run. `file` is absolute. */
export async function confirmPlan(
  { project, trustsPlans }: ServerDeps,
  file: string,
  caller: Caller,
): Promise<Confirmation> {
  if (trustsPlans) return { go: {} };
  if (await isFromArchitect(project, file)) return confirmNamed(await readProposed(file, { project }), caller);
  const plan = await planCommands(file, { project });
  const seen: Confirmation = { go: { confirmed: plan.hash } };
  if (plan.commands.length === 0) return seen;
  const key = `confirm/${plan.hash}`;
  const reply = replySchema.safeParse(caller.replies[key]).data;
  if (reply?.action === 'accept') return reply.content?.decision === 'run' ? seen : no;
  if (reply?.action === 'decline') return no;
  const form = formFor(plan);
  if (reply !== undefined || !caller.canAsk || form.message.length > mostShown) return { go: { confirmed: 'none' } };
  return { ask: { key, form } };
}

/** Resolves links: the path may be an alias. */
async function isFromArchitect(project: string, file: string): Promise<boolean> {
  const [root, real] = await Promise.all([project, file].map(async (path) => realpath(path).catch(() => path)));
  return isArchitectPlan(project, relative(root ?? project, real ?? file));
}

function confirmNamed(proposed: ProposedPlan, caller: Caller): Confirmation {
  const answer = confirmProposed(proposed, caller);
  if (answer === 'yes') return { go: { confirmed: proposed.hash } };
  if (answer !== 'unasked') return answer;
  return caller.canAsk ? unseen : { go: { confirmed: 'none' } };
}

/** The person did not choose, or the plan is too long for a form. */
const unseen: ToolAnswer = {
  text: 'Not started: an architect wrote this plan and no person has approved it.\nnext: ask the person; they can also start it in a terminal: `divisi run PATH`.',
};

/** Asks about an architect's plan: the person sees all of it, with or without commands. */
export function confirmProposed(proposed: ProposedPlan, caller: Caller): 'yes' | 'unasked' | ToolAnswer {
  const key = `confirm/${proposed.hash}`;
  const reply = replySchema.safeParse(caller.replies[key]).data;
  if (reply?.action === 'accept' && reply.content?.decision === 'run') return 'yes';
  if (reply !== undefined) return reply.action === 'cancel' ? 'unasked' : no;
  const form = yesOrNo(`Run this plan?\n\n${proposedText(proposed)}`);
  return caller.canAsk && form.message.length <= mostShown ? { ask: { key, form } } : 'unasked';
}

/** Shows all commands in full. */
function formFor({ file, commands }: PlanCommands): ElicitRequestFormParams {
  const shown = commands.map((argv) => `- ${flatten(commandLine(argv))}`);
  const question = `Run ${oneLine(file, 120)}? It will run these commands on this machine:`;
  return yesOrNo([question, ...shown].join('\n'));
}

function yesOrNo(message: string): ElicitRequestFormParams {
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          title: 'Decision',
          enum: ['run', 'stop'],
          enumNames: ['run it, commands included', 'do not run it'],
        },
      },
      required: ['decision'],
    },
  };
}
