/**
 * Asks a person to confirm a plan that a model named: the model may have written it, commands included, and the project's config
 * as well. Commands run only exactly as a person has seen them; where nobody has seen what the project can execute, the same form shows it. An architect's plan is shown in full and, where a person can be asked,
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
import { executablesText } from '../project/trust/trust-text.ts';
import { confirmationHash, type ProjectTrust, recordTrust, requireTrust, trustOf } from '../project/trust/trust.ts';
import type { ServerDeps } from './server-deps.ts';

/** `confirmed`: the hash of what was confirmed, or `none`; absent where no confirmation is needed. */
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
export async function confirmPlan(deps: ServerDeps, file: string, caller: Caller): Promise<Confirmation> {
  const { project, environment, trustsPlans } = deps;
  if (trustsPlans) return { go: {} };
  const trust = trustOf({ project, environment });
  if (await isFromArchitect(project, file)) {
    return confirmNamed(await readProposed(file, { project }), { deps, trust, caller });
  }
  const plan = await planCommands(file, { project });
  const confirmed = confirmationHash(plan.hash, trust);
  const seen: Confirmation = { go: { confirmed } };
  const isKnown = plan.commands.length === 0 || (await isConfirmedBefore(project, file, plan));
  if (isKnown && trust.isTrusted) return seen;
  const key = `confirm/${confirmed}`;
  const reply = replySchema.safeParse(caller.replies[key]).data;
  if (reply !== undefined && isNo(reply)) return no;
  if (reply?.action === 'accept') {
    await trustAsSeen(deps, trust, reply);
    return allowsCommands(reply) ? seen : { go: { confirmed: 'none' } };
  }
  const form = startForm([planText(plan), projectText(trust)].filter((text) => text !== '').join('\n\n'), caller);
  if (reply === undefined && caller.canAsk && form.message.length <= mostShown) return { ask: { key, form } };
  requireTrust({ project, environment });
  return { go: { confirmed: 'none' } };
}

/** A person who chose has seen what the project can execute. A host that accepts by itself chooses nothing: the project stays as it was. */
async function trustAsSeen({ project, environment }: ServerDeps, trust: ProjectTrust, reply: Reply): Promise<void> {
  const place = { project, environment };
  if (trust.isTrusted) return;
  if (reply.content?.commands === undefined) requireTrust(place);
  else await recordTrust(place, trust);
}

function projectText(trust: ProjectTrust): string {
  if (trust.isTrusted) return '';
  return `The project brings files that can execute, and nobody has said yes to them:\n${executablesText(trust)}`;
}

/** Resolves links: the path may be an alias. */
async function isFromArchitect(project: string, file: string): Promise<boolean> {
  const [root, real] = await Promise.all([project, file].map(async (path) => realpath(path).catch(() => path)));
  return isArchitectPlan(project, relative(root ?? project, real ?? file));
}

interface Naming {
  readonly deps: ServerDeps;
  readonly trust: ProjectTrust;
  readonly caller: Caller;
}

async function confirmNamed(proposed: ProposedPlan, { deps, trust, caller }: Naming): Promise<Confirmation> {
  // The plan alone fills a form.
  requireTrust(deps);
  const answer = confirmProposed(proposed, caller);
  if (answer === 'yes') return { go: { confirmed: confirmationHash(proposed.hash, trust) } };
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
function planText({ file, commands }: PlanCommands): string {
  const shown = commands.map((argv) => `- ${flatten(commandLine(argv))}`);
  if (shown.length === 0) return `Run ${oneLine(file, 120)}?`;
  return [`Run ${oneLine(file, 120)}? It will run these commands on this machine:`, ...shown].join('\n');
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

type Reply = z.infer<typeof replySchema>;

const isNo = ({ action, content }: Reply): boolean =>
  action === 'decline' || (action === 'accept' && content?.commands === 'stop');

const allowsCommands = ({ content }: Reply): boolean => content?.commands === 'run';
