/**
 * Command file: reads the routing settings in the frontmatter of a command file, in one of two forms:
 *
 * ```yaml
 * routing: { language_based: true, lean: lean-research-agent, default: researcher }
 * routing: { language_based: false, target_agent: planner }
 * timeout: 3600
 * ```
 *
 * The rest of the file is for other programs and is not read: neither settings that are not valid YAML
 * (`argument-hint: [number] [words]`), nor the text below, which is never an instruction for Divisi.
 */
import * as z from 'zod/mini';
import type { CommandRouting, CommandSettings } from './command-routing.ts';

const howAgent = 'an agent name';
/** As in a plan; a plugin's prefix is allowed. */
const agent = z.string(howAgent).check(z.regex(/^(?:[\w.-]{1,64}:){0,3}\w[\w.-]{0,63}$/, howAgent));

const howSeconds = 'whole seconds, from 1 to 86400';
const seconds = z
  .pipe(
    z.string(howSeconds).check(z.regex(/^[1-9]\d{0,4}$/, { error: howSeconds, abort: true })),
    z.transform((text) => Number(text)),
  )
  .check(z.maximum(86_400, howSeconds));

const direct = z.strictObject({ language_based: z.literal('false'), target_agent: agent });

/** Every other key is a language. */
const byLanguage = z.catchall(
  z.object({
    language_based: z.literal('true'),
    default: agent,
    target_agent: z.optional(z.never('requires language_based: false')),
  }),
  agent,
);

const routing = z.pipe(
  z.discriminatedUnion('language_based', [direct, byLanguage], 'true or false'),
  z.transform((settings): CommandRouting => {
    if (settings.language_based === 'false') return { languageBased: false, agent: settings.target_agent };
    const { language_based: _, default: usual, target_agent: __, ...languages } = settings;
    const agents = Object.entries(languages).map(([language, name]) => [language.toLowerCase(), name] as const);
    return { languageBased: true, byLanguage: Object.fromEntries(agents), default: usual };
  }),
);

export const commandFileSettings: z.ZodMiniType<CommandSettings> = z.strictObject({
  routing: z.optional(routing),
  timeout: z.optional(seconds),
});

const ours = /^(["']?)(?:routing|timeout)\1[ \t]*:/;

/** Blanks every line except those of `routing` and `timeout`: line numbers match the file. */
export function routingLines(settings: string): string {
  let isOurs = false;
  const lines = settings.split('\n').map((line) => {
    if (/^[^\s#}\]-]/.test(line)) isOurs = ours.test(line);
    return isOurs ? line : '';
  });
  return lines.join('\n');
}
