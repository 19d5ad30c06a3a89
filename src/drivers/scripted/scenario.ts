/**
 * What a scenario says: for each task its attempts, for each attempt its turns. The first turn answers the prompt, each
 * further one a repair. A task that has more attempts than are written repeats the last one.
 */
export const failures = ['exit', 'signal', 'not-started'] as const;

export type ScriptedEnd =
  | { readonly kind: 'return'; readonly text: string }
  | {
      readonly kind: 'fail';
      readonly cause: (typeof failures)[number];
      readonly message: string;
      /** What had been written until then. */
      readonly said: string;
    }
  /** Goes on until it is cancelled. */
  | { readonly kind: 'hang'; readonly said: string };

/** After so many milliseconds the files are written, then the turn ends. */
export interface ScriptedTurn {
  readonly after: number;
  /** Path inside the directory → text. */
  readonly write: Readonly<Record<string, string>>;
  readonly end: ScriptedEnd;
}

export interface ScriptedAttempt {
  readonly turns: readonly ScriptedTurn[];
}

export interface Scenario {
  readonly tasks: Readonly<Record<string, readonly ScriptedAttempt[]>>;
  /** For tasks that are not named. */
  readonly default?: readonly ScriptedAttempt[];
}

export function attemptOf(scenario: Scenario, task: string, attempt: number): ScriptedAttempt | undefined {
  const attempts = Object.hasOwn(scenario.tasks, task) ? scenario.tasks[task] : scenario.default;
  return attempts?.[Math.min(attempt, attempts.length) - 1];
}
