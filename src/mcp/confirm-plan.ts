/**
 * A plan that a model names is not one that a person has passed: it may have written it itself, commands and all. Those are run
 * only after a person has seen them, in exactly the form that the plan has now.
 */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { oneLine } from '../contracts/flatten.ts';
import { commandLine } from '../plan/command-words.ts';
import { type PlanCommands, planCommands } from '../scheduler/plan-run.ts';
import type { Caller, ToolAnswer } from './caller.ts';
import type { Place } from './place.ts';

export type Confirmed = { readonly isConfirmed: boolean } | ToolAnswer;

const replySchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.optional(z.object({ decision: z.enum(['run', 'stop']) })),
});

const mostCommands = 12;

/** Where nobody can be asked, the plan's own commands stay unrun. `file` is absolute. */
export async function confirmPlan({ project, trustsPlans }: Place, file: string, caller: Caller): Promise<Confirmed> {
  if (trustsPlans) return { isConfirmed: true };
  const plan = await planCommands(file, { project });
  if (plan.commands.length === 0) return { isConfirmed: true };
  const key = `confirm/${plan.hash}`;
  const reply = replySchema.safeParse(caller.replies[key]).data;
  if (reply?.action === 'accept')
    return reply.content?.decision === 'run' ? { isConfirmed: true } : { text: 'Not begun: the person said no.' };
  if (reply?.action === 'decline') return { text: 'Not begun: the person said no.' };
  if (reply !== undefined || !caller.canAsk) return { isConfirmed: false };
  return { ask: { key, form: formFor(plan) } };
}

function formFor({ file, commands }: PlanCommands): ElicitRequestFormParams {
  const shown = commands.slice(0, mostCommands).map((argv) => `- ${oneLine(commandLine(argv), 100)}`);
  const rest = commands.length > mostCommands ? [`- and ${commands.length - mostCommands} more`] : [];
  return {
    message: [
      `Run ${oneLine(file, 120)}? These commands of its own will be run on this machine:`,
      ...shown,
      ...rest,
    ].join('\n'),
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
