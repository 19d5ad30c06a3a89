/** Route: chooses the agent for a command, and explains the choice in one line for people. */
import { oneLine } from '../base/text.ts';
import type { CommandName, CommandRouting } from './command-routing.ts';

export type LanguageSource = 'asked' | 'project-state' | 'todo' | 'state' | 'task-list' | 'default';

/** The language of a backlog task, by source. */
export interface LanguageFrom {
  /** `--language`, which overrides all files. */
  readonly asked?: string | undefined;
  /** `<specs>/<n>_<slug>/state.json`. */
  readonly projectState?: string | undefined;
  /** Its entry in TODO.md. */
  readonly todo?: string | undefined;
  /** Its entry in state.json. */
  readonly state?: string | undefined;
  /** The task list alone. */
  readonly taskList?: string | undefined;
}

export interface RouteFacts {
  readonly command: CommandName;
  readonly routing: CommandRouting;
  /** The file of the routing; absent for the default. */
  readonly from?: string | undefined;
  readonly languageFrom: LanguageFrom;
  /** The backlog task has a plan that `implement` would follow. */
  readonly hasPlan: boolean;
}

export interface Route {
  readonly agent: string;
  readonly language: string;
  readonly languageSource: LanguageSource;
  readonly why: string;
}

/** Implements a task without a plan; `follower` implements one with a plan. */
const implementer = 'implementer';
const follower = 'task-executor';

/** A language is a word or two. */
const longestLanguage = 64;

const sourceWords: Readonly<Record<LanguageSource, string>> = {
  asked: '--language',
  'project-state': 'project state',
  todo: 'TODO.md',
  state: 'state.json',
  'task-list': 'task list',
  default: 'default',
};

/** Pure and total: returns an agent for any language. */
export function route({ command, routing, from, languageFrom, hasPlan }: RouteFacts): Route {
  const { language, source } = languageOf(languageFrom);
  const { agent, because } = agentFor(command, routing, language, hasPlan);
  const facts = routing.languageBased ? `language ${language} (${sourceWords[source]})` : `${command}, any language`;
  const said = from === undefined ? '' : `, by ${from}`;
  return { agent, language, languageSource: source, why: `${facts}${because}: ${agent}${said}` };
}

function languageOf({ asked, projectState, todo, state, taskList }: LanguageFrom): {
  language: string;
  source: LanguageSource;
} {
  const named = [
    { source: 'asked', language: plain(asked) },
    { source: 'project-state', language: plain(projectState) },
    { source: 'todo', language: plain(todo) },
    { source: 'state', language: plain(state) },
    { source: 'task-list', language: plain(taskList) },
  ] as const;
  return named.find(({ language }) => language !== '') ?? { source: 'default', language: 'general' };
}

/** Case-insensitive. */
function plain(language = ''): string {
  return oneLine(language, longestLanguage).toLowerCase();
}

/**
 * A task with a plan goes to the agent that follows plans instead of the default implementer. An agent the project chose keeps
 * the work and gets the path of the plan.
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
    ? { agent: follower, because: ' without its own agent, with a plan' }
    : { agent: routing.default, because: ' without its own agent' };
}
