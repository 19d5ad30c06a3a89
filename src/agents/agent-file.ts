/** Agent file: the settings of `.divisi/agents/*.md`, checked strictly, and the useful ones of files for other programs. */
import * as z from 'zod/mini';
import { type Agent, agentTiers } from './agent.ts';

const text = (most: number, expected: string): z.ZodMiniString =>
  z.string(expected).check(z.minLength(1, expected), z.maxLength(most, `at most ${most} characters`));

const ownName = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/, 'expected a lower-case name with dashes'));
/** Other programs are less strict: accepts every name a plan can use. */
const anyName = z.string().check(z.regex(/^\w[\w.-]{0,63}$/, 'expected a name of letters, digits and dashes'));

/** Commas inside parentheses belong to a tool: `Bash(git add:*, git commit:*)`. */
function splitTools(line: string): string[] {
  const tools = [''];
  let depth = 0;
  for (const letter of line) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth = Math.max(0, depth - 1);
    if (letter === ',' && depth === 0) tools.push('');
    else tools[tools.length - 1] += letter;
  }
  return tools.map((tool) => tool.trim()).filter((tool) => tool !== '');
}

const howTools = 'a list of tools, such as [Read, Grep], or `Read, Grep`';
const tool = text(200, 'a tool name');
const tools = z.union(
  [
    z.array(tool),
    z.pipe(
      text(20_000, howTools),
      z.transform((line) => splitTools(line)),
    ),
  ],
  howTools,
);

const ownAgent = z.strictObject({
  name: z.optional(ownName),
  description: z.optional(z.string().check(z.maxLength(20_000, 'at most 20000 characters'))),
  contract: z.optional(text(64, 'a contract name')),
  tools: z.optional(tools),
  tier: z.optional(z.enum(agentTiers, 'fast, standard or deep')),
  driver: z.optional(text(64, 'a driver name')),
});

/** The tier of a model's family; undefined for `inherit` and unknown names. */
function tierOfModel(model: string): Agent['tier'] {
  const family = /haiku|sonnet|opus/.exec(model.toLowerCase())?.[0];
  return family === undefined ? undefined : ({ haiku: 'fast', sonnet: 'standard', opus: 'deep' } as const)[family];
}

/** `{ read: true, task: false }`: the tools that are on; none of them on is no limit. */
const switches = z.pipe(
  z.record(tool, z.enum(['true', 'false'])),
  z.transform((named): string[] | '' => {
    const on = Object.keys(named).filter((name) => named[name] === 'true');
    return on.length === 0 ? '' : on;
  }),
);

/** Claude Code's names for tools that other programs write in lower case. */
const toolNames: ReadonlyMap<string, string> = new Map(
  ['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Task', 'WebFetch', 'WebSearch', 'Write'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** Ignores `color`, `permissionMode` and all other settings. */
const clientAgent = z.pipe(
  z.object({
    name: z.optional(anyName),
    description: z.optional(z.string()),
    tools: z.optional(z.union([z.literal(''), tools, switches], howTools)),
    model: z.optional(z.string()),
  }),
  z.transform(({ name, description, tools: given, model }): AgentSettings => {
    const isLimited = given !== undefined && given !== '' && !given.includes('*');
    const known = isLimited ? given.map((one) => toolNames.get(one) ?? one) : undefined;
    return { name, description, tools: known, tier: tierOfModel(model ?? '') };
  }),
);

export type AgentSettings = z.infer<typeof ownAgent>;

/** The schema by the program the file belongs to. */
export const agentSettings: Readonly<Record<'divisi' | 'claude', z.ZodMiniType<AgentSettings>>> = {
  divisi: ownAgent,
  claude: clientAgent,
};
