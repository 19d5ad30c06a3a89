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
import { isConfirmedBefore } from './confirmed-before.ts';
import type { ServerDeps } from './server-deps.ts';

/** `confirmed`: the hash of the confirmed plan, or `none`; absent where no confirmation is needed. */
export type Confirmation = { readonly go: { readonly confirmed?: string } } | ToolAnswer;

/** A host may have declined it by itself, slower than `attendance.ts` can tell. */
const no: ToolAnswer = {
  text: 'Not started: the form that shows the plan was declined.\nnext: if no person saw it, they can start the plan in a terminal: `divisi run PATH`.',
};

const replySchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.optional(z.nullable(z.object({ commands: z.optional(z.enum(['run', 'skip', 'stop'])) }))),
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
  if (plan.commands.length === 0 || (await isConfirmedBefore(project, file, plan))) return seen;
  const key = `confirm/${plan.hash}`;
  const reply = replySchema.safeParse(caller.replies[key]).data;
  if (reply !== undefined && isNo(reply)) return no;
  if (reply?.action === 'accept') return allowsCommands(reply) ? seen : { go: { confirmed: 'none' } };
  const form = formFor(plan, caller);
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
  if (answer === 'without commands') return { go: { confirmed: 'none' } };
  if (answer !== 'unasked') return answer;
  return caller.canAsk ? unseen : { go: { confirmed: 'none' } };
}

/** The person did not choose, or the plan is too long for a form. */
const unseen: ToolAnswer = {
  text: 'Not started: an architect wrote this plan and no person has approved it.\nnext: ask the person; they can also start it in a terminal: `divisi run PATH`.',
};

/** Asks about an architect's plan: the person sees all of it, with or without commands. */
export function confirmProposed(
  proposed: ProposedPlan,
  caller: Caller,
): 'yes' | 'without commands' | 'unasked' | ToolAnswer {
  const key = `confirm/${proposed.hash}`;
  const reply = replySchema.safeParse(caller.replies[key]).data;
  if (reply !== undefined && isNo(reply)) return no;
  if (reply?.action === 'accept') return allowsCommands(reply) ? 'yes' : 'without commands';
  if (reply !== undefined) return 'unasked';
  const form = startForm(`Run this plan?\n\n${proposedText(proposed)}`, caller);
  return caller.canAsk && form.message.length <= mostShown ? { ask: { key, form } } : 'unasked';
}

/** Shows all commands in full. */
function formFor({ file, commands }: PlanCommands, caller: Caller): ElicitRequestFormParams {
  const shown = commands.map((argv) => `- ${flatten(commandLine(argv))}`);
  const question = `Run ${oneLine(file, 120)}? It will run these commands on this machine:`;
  return startForm([question, ...shown].join('\n'), caller);
}

/**
 * Accept and Decline are the decision. The field has its usual value before a person sees it; a host that accepts forms by itself (Codex
 * without approvals, if they are empty) sends none, and the commands do not run.
 */
function startForm(message: string, { hasDecline }: Caller): ElicitRequestFormParams {
  return {
    message: `${message}\n\nAccept: start it. Decline: do not start it.`,
    requestedSchema: {
      type: 'object',
      properties: {
        commands: {
          type: 'string',
          title: 'Commands of the plan',
          enum: ['run', 'skip', ...(hasDecline ? [] : ['stop'])],
          enumNames: ['run them', 'start without them', ...(hasDecline ? [] : ['decline: do not start the plan'])],
          default: 'run',
        },
      },
    },
  };
}

const isNo = ({ action, content }: z.infer<typeof replySchema>): boolean =>
  action === 'decline' || (action === 'accept' && content?.commands === 'stop');

const allowsCommands = ({ content }: z.infer<typeof replySchema>): boolean => content?.commands === 'run';
