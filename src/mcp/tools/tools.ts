/**
 * Defines the tools as a client's model sees them. They stay in its context for the whole conversation: at most 2,100 characters in total,
 * checked by a test.
 */
import { resumeGrammar } from '../../project/resume-words.ts';
import * as z from 'zod/mini';
import type { Tool } from '@modelcontextprotocol/server';
import { tiers } from '../../plan/plan.ts';

const text = (about: string) => z.string().check(z.describe(about), z.minLength(1), z.maxLength(20_000));
const word = z.string().check(z.minLength(1), z.maxLength(20_000));
const run = z.optional(word);

export const inputs = {
  run: z.object({
    plan: z.optional(text('path or goal')),
    command: z.optional(text('research|plan|implement|revise|review N TEXT; feature TEXT; task …; todo')),
    resume: z.optional(text(resumeGrammar)),
    mode: z.optional(z.enum(['plan', 'default', 'auto']).check(z.describe('plan: preview only; auto: no checkpoints'))),
    here: z.optional(z.boolean().check(z.describe('you conduct it with your own subagents'))),
  }),
  status: z.object({ run: z.optional(text('id or prefix; default: newest')) }),
  report: z.object({
    task: word,
    section: z.optional(word),
    run,
  }),
  answer: z.object({
    approve: z.boolean(),
    checkpoint: z.optional(text('id, if several are open')),
    note: z.optional(word),
    run,
  }),
  delegate: z.object({
    task: text('self-contained instructions'),
    agent: z.optional(text('role; default: worker')),
    tier: z.optional(z.enum(tiers)),
    scope: z.optional(z.array(word).check(z.describe('paths it may change'), z.maxLength(100))),
  }),
};
export type ToolName = keyof typeof inputs;
export type Inputs = { readonly [Name in ToolName]: z.infer<(typeof inputs)[Name]> };

const descriptions: Readonly<Record<ToolName, string>> = {
  run: 'Run a plan or a command with Divisi, or resume a run, and wait: own agents and rooms, verified, a brief at the end. May take hours; call again to keep waiting. No input: list open work.',
  status: 'Status of the active runs.',
  report: "A task's report: summary and list of sections, or one section.",
  answer: "The person's answer to a checkpoint. Never answer without asking the person.",
  delegate: 'Run one task without a plan, otherwise like `run`.',
};

/** Read-only. */
export const readOnly: ReadonlySet<ToolName> = new Set(['status', 'report']);

export function isTool(name: string): name is ToolName {
  return Object.hasOwn(inputs, name);
}

/**
 * Tools to load without a search. Searching costs a turn and more characters than it saves, so `run` is always
 * loaded. The plugin loads all tools of this server, which makes the client wait for it before its first request;
 * `delegate` opts out because few conversations use it.
 */
const loading: Partial<Readonly<Record<ToolName, boolean>>> = { run: true, delegate: false };

export const tools: Tool[] = (Object.keys(inputs) as ToolName[]).map((name) => ({
  name,
  description: descriptions[name],
  inputSchema: schemaOf(inputs[name]),
  ...(readOnly.has(name) ? { annotations: { readOnlyHint: true } } : {}),
  ...(loading[name] === undefined ? {} : { _meta: { 'anthropic/alwaysLoad': loading[name] } }),
}));

/** Drops the limits from the schema: they cost characters, and validation enforces them anyway. */
function schemaOf(input: z.core.$ZodType): Tool['inputSchema'] {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.minLength;
      delete jsonSchema.maxLength;
      delete jsonSchema.maxItems;
    },
  });
  return { ...schema, type: 'object' } as Tool['inputSchema'];
}
