/**
 * Scenario: for each task its attempts, for each attempt its turns. The first turn answers the prompt, each later one a repair. A
 * task with more attempts than the scenario has repeats the last one.
 */
import type { TurnUsage } from '../../dialects/usage.ts';

export const failures = [
  'exit',
  'signal',
  'not-started',
  'environment',
  'authentication',
  'context-full',
  'refusal',
  'no-answer',
  'limit',
  'quota',
] as const;

type ScriptedFailure =
  | { readonly cause: Exclude<(typeof failures)[number], 'quota'> }
  /** Seconds until the quota is available again; absent: unknown. */
  | { readonly cause: 'quota'; readonly retryAfter?: number };

export type ScriptedEnd =
  | { readonly kind: 'return'; readonly text: string }
  /** `said` is the output until then. */
  | ({ readonly kind: 'fail'; readonly message: string; readonly said: string } & ScriptedFailure)
  /** Runs until cancelled. */
  | { readonly kind: 'hang'; readonly said: string };

/** Waits `after` milliseconds, writes the files, then ends. */
export interface ScriptedTurn {
  readonly after: number;
  /** Path inside the directory → text. */
  readonly write: Readonly<Record<string, string>>;
  readonly usage?: TurnUsage;
  readonly end: ScriptedEnd;
}

export interface ScriptedAttempt {
  readonly turns: readonly ScriptedTurn[];
}

type AttemptsByName = Readonly<Record<string, readonly ScriptedAttempt[]>>;

export interface Scenario {
  readonly tasks: AttemptsByName;
  /** By agent, for tasks without an entry. */
  readonly agents?: AttemptsByName;
  /** For every other task. */
  readonly default?: readonly ScriptedAttempt[];
}

export function scriptedAttempt(
  { tasks, agents = {}, default: others }: Scenario,
  { task, agent, attempt }: { readonly task: string; readonly agent: string; readonly attempt: number },
): ScriptedAttempt | undefined {
  const attempts = own(tasks, task) ?? own(agents, agent) ?? others;
  return attempts?.[Math.min(attempt, attempts.length) - 1];
}

function own(named: AttemptsByName, name: string): readonly ScriptedAttempt[] | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined;
}
