/** The part of the config about the task commands: whom each is given to, and how long that may take. */
import * as z from 'zod/mini';
import { wholeNumber } from './strict-yaml.ts';

const howAgent = 'the name of an agent';
const agent = z.string(howAgent).check(z.regex(/^(?:[\w.-]{1,64}:){0,3}\w[\w.-]{0,63}$/, howAgent));

const said = z
  .strictObject({
    /** For every language. */
    agent: z.optional(agent),
    /** Or by language, and for all others. */
    languages: z.optional(z.record(z.string(), agent, 'agents by language, such as { lean: lean-research-agent }')),
    default: z.optional(agent),
    /** Seconds; the class of the agent has a maximum. */
    timeout: z.optional(wholeNumber(1, 86_400)),
  })
  .check(({ value, issues }) => {
    const refuse = (key: 'languages' | 'default', message: string): void => {
      if (value[key] !== undefined) issues.push({ code: 'custom', path: [key], message, input: value[key] });
    };
    if (value.agent === undefined) {
      if (value.default === undefined) refuse('languages', 'needs a default beside it, for all other languages');
      return;
    }
    refuse('languages', 'does not go with agent');
    refuse('default', 'does not go with agent');
  });

/** In the words of routing. `Lean` and `lean` are one language. */
const command = z.pipe(
  said,
  z.transform(({ agent: one, languages = {}, default: other, timeout }) => {
    const byLanguage = Object.fromEntries(Object.entries(languages).map(([name, its]) => [name.toLowerCase(), its]));
    const direct = one === undefined ? undefined : ({ languageBased: false, agent: one } as const);
    const chosen = other === undefined ? undefined : ({ languageBased: true, byLanguage, default: other } as const);
    return { routing: direct ?? chosen, timeout };
  }),
);

export const taskCommandSettings = z.strictObject({
  research: z.exactOptional(command),
  plan: z.exactOptional(command),
  implement: z.exactOptional(command),
  revise: z.exactOptional(command),
  review: z.exactOptional(command),
});
