/** What a plan says, free of how it is written. Where each thing stands in the file is `plan-document.ts`'s business. */

/** Open, running, done, failed, escalated: as they stand in the brackets. */
export const marks = [' ', '~', 'x', '!', '^'] as const;
export type Mark = (typeof marks)[number];

export const tiers = ['fast', 'standard', 'deep'] as const;
export type Tier = (typeof tiers)[number];

/** Whether a run stops at the checkpoints of its plan, or for trouble only. */
export const modes = ['default', 'auto'] as const;
export type Mode = (typeof modes)[number];

/** A whole wave stays one dependency: a wave of 25,000 tasks would otherwise be 25,000 of them, for each dependent. */
export type Dependency = { readonly task: string } | { readonly wave: number };

export interface PlanBudgets {
  readonly minutes?: number;
  readonly delegations?: number;
  readonly tokens?: number;
  readonly cost?: number;
}

export interface PlanTask {
  /** As in the plan: `2.3`. */
  readonly id: string;
  readonly title: string;
  /** What the agent is told; the title where the plan says no more. */
  readonly description: string;
  readonly mark: Mark;
  /** The text has no place for the mark: it says nothing about how far the task is. */
  readonly isUnmarked?: true;
  readonly after: readonly Dependency[];
  /** Normal paths; tasks with overlapping scopes never run at the same time. Empty: nothing is locked. */
  readonly scope: readonly string[];
  /** Normal paths inside of the scope that the task must leave alone. Never empty; nothing is locked by them. */
  readonly forbidden?: readonly string[];
  /** As they stand in the plan; `accept-command.ts` says which of them are commands. */
  readonly accept: readonly string[];
  readonly tier?: Tier;
  readonly agent?: string;
  /** The task has a review of its own, by an agent of this tier. */
  readonly review?: Tier;
  /** Never empty. */
  readonly budgets?: PlanBudgets;
  readonly line: number;
}

export interface PlanWave {
  readonly number: number;
  readonly title: string;
  readonly tasks: readonly PlanTask[];
  /** Of the agent that reviews the wave, where the plan names one; no wave goes without a review. */
  readonly reviewTier?: Tier;
  readonly line: number;
}

export interface PlanCheckpoint {
  readonly afterWave: number;
  readonly why: string;
  /** Ticked in the plan. */
  readonly passed?: boolean;
}

export interface PlanSettings {
  readonly concurrency?: number;
  readonly driver?: string;
  /** Words of a command line, split by the parser; never given to a shell. */
  readonly command?: readonly string[];
  readonly repair?: readonly string[];
  /** What runs the agents that review, where it is not what runs the others. */
  readonly review?: readonly string[];
  readonly mode?: Mode;
  readonly scenario?: string;
  /** Seconds for each delegation, up to the maximum of its class. */
  readonly deadline?: number;
  readonly baseBranch?: string;
  readonly budgets: PlanBudgets;
}

export interface Plan {
  readonly title: string;
  readonly goal: string;
  readonly settings: PlanSettings;
  readonly checkpoints: readonly PlanCheckpoint[];
  readonly waves: readonly PlanWave[];
}

/** What an agent is told of a task: its title, and what the plan says beyond it. */
export function wordsFor({ title, description }: Pick<PlanTask, 'title' | 'description'>): string {
  return description === title || description.startsWith(`${title}\n`) ? description : `${title}\n\n${description}`;
}
