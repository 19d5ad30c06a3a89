/** What the files of agents may say: `.divisi/agents/*.md`, word by word, and what is of use here in `.claude/agents/*.md`. */
import * as z from 'zod/mini';
import { type Agent, agentTiers } from './agent.ts';

const text = (most: number, expected: string): z.ZodMiniString =>
  z.string(expected).check(z.minLength(1, expected), z.maxLength(most, `at most ${most} characters`));

const ownName = z.string().check(z.regex(/^[a-z][a-z0-9-]{0,63}$/, 'expected a lower-case name with dashes'));
/** Other programs are less strict; whatever a plan can name will do. */
const anyName = z.string().check(z.regex(/^\w[\w.-]{0,63}$/, 'a name has letters, digits and dashes'));

/** Commas inside of parentheses belong to a tool: `Bash(git add:*, git commit:*)`. */
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
const tool = text(200, 'the name of a tool');
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
  contract: z.optional(text(64, 'the name of a contract')),
  tools: z.optional(tools),
  tier: z.optional(z.enum(agentTiers, 'fast, standard or deep')),
  driver: z.optional(text(64, 'the name of a driver')),
});

/** The model's family says how strong it is; `inherit`, and names nobody knows, say nothing. */
function tierOfModel(model: string): Agent['tier'] {
  const family = /haiku|sonnet|opus/.exec(model.toLowerCase())?.[0];
  return family === undefined ? undefined : ({ haiku: 'fast', sonnet: 'standard', opus: 'deep' } as const)[family];
}

/** `color`, `permissionMode` and whatever else there is: not for us. */
const clientAgent = z.pipe(
  z.object({
    name: z.optional(anyName),
    description: z.optional(z.string()),
    tools: z.optional(z.union([z.literal(''), tools], howTools)),
    model: z.optional(z.string()),
  }),
  z.transform(({ name, description, tools: given, model }): AgentSettings => {
    const isLimited = given !== undefined && given !== '' && !given.includes('*');
    return { name, description, tools: isLimited ? given : undefined, tier: tierOfModel(model ?? '') };
  }),
);

export type AgentSettings = z.infer<typeof ownAgent>;

/** Whose file it is decides what may stand in it. */
export const agentSettings: Readonly<Record<'divisi' | 'claude', z.ZodMiniType<AgentSettings>>> = {
  divisi: ownAgent,
  claude: clientAgent,
};
