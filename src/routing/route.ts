/** Command, language and plan → the agent, and why it is this one in a line for people. */
import { oneLine } from '../base/text.ts';
import type { CommandName, CommandRouting } from './command-routing.ts';

export type LanguageSource = 'asked' | 'project-state' | 'todo' | 'default';

/** The language of a backlog task, by who names it. */
export interface LanguageFrom {
  /** `--language`, which counts before all files. */
  readonly asked?: string | undefined;
  /** `<specs>/<n>_<slug>/state.json`. */
  readonly projectState?: string | undefined;
  /** Its entry in TODO.md. */
  readonly todo?: string | undefined;
}

export interface RouteFacts {
  readonly command: CommandName;
  readonly routing: CommandRouting;
  /** Where the routing stands, if it is not the usual one. */
  readonly from?: string | undefined;
  readonly languageFrom: LanguageFrom;
  /** Whether the backlog task has a plan that `implement` would follow. */
  readonly hasPlan: boolean;
}

export interface Route {
  readonly agent: string;
  readonly language: string;
  readonly languageSource: LanguageSource;
  readonly why: string;
}

/** Does the work of a task without a plan; with one, `follower` does. */
const implementer = 'implementer';
const follower = 'task-executor';

/** People write these files: a language is a word or two. */
const longestLanguage = 64;

const sourceWords: Readonly<Record<LanguageSource, string>> = {
  asked: '--language',
  'project-state': 'project state',
  todo: 'TODO.md',
  default: 'named nowhere',
};

/** Pure, and total: whatever the files say about the language, there is an agent. */
export function route({ command, routing, from, languageFrom, hasPlan }: RouteFacts): Route {
  const { language, source } = languageOf(languageFrom);
  const { agent, because } = agentFor(command, routing, language, hasPlan);
  const facts = routing.languageBased ? `language ${language} (${sourceWords[source]})` : `${command} in any language`;
  const said = from === undefined ? '' : `, by ${from}`;
  return { agent, language, languageSource: source, why: `${facts}${because}: ${agent}${said}` };
}

function languageOf({ asked, projectState, todo }: LanguageFrom): { language: string; source: LanguageSource } {
  const named = [
    { source: 'asked', language: plain(asked) },
    { source: 'project-state', language: plain(projectState) },
    { source: 'todo', language: plain(todo) },
  ] as const;
  return named.find(({ language }) => language !== '') ?? { source: 'default', language: 'general' };
}

/** `Lean` and `lean` are one language. */
function plain(language = ''): string {
  return oneLine(language, longestLanguage).toLowerCase();
}

/**
 * A plan is for the agent that follows plans, in the place of the implementer that nobody chose for this language. An agent
 * of the project's own choice keeps the work and is told where the plan is.
 */
function agentFor(
  command: CommandName,
  routing: CommandRouting,
  language: string,
  hasPlan: boolean,
): { agent: string; because: string } {
  if (!routing.languageBased) return { agent: routing.agent, because: '' };
  const own = Object.hasOwn(routing.byLanguage, language) ? routing.byLanguage[language] : undefined;
  if (own !== undefined) return { agent: own, because: '' };
  const isFollowed = command === 'implement' && hasPlan && routing.default === implementer;
  return isFollowed
    ? { agent: follower, because: ' without an agent of its own, with a plan' }
    : { agent: routing.default, because: ' without an agent of its own' };
}
