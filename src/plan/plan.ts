/** Plan: the content of a plan, independent of its text. `plan-document.ts` knows where each part is in the file. */
import type { CommandReturns } from '../contracts/return-way.ts';

/** Open, running, done, failed, escalated: the characters in the brackets. */
export const marks = [' ', '~', 'x', '!', '^'] as const;
export type Mark = (typeof marks)[number];

export const tiers = ['fast', 'standard', 'deep'] as const;
export type Tier = (typeof tiers)[number];

/** Whether a run waits at the checkpoints of its plan, or only for problems. */
export const modes = ['default', 'auto'] as const;
export type Mode = (typeof modes)[number];

/** A whole wave is one dependency: a wave of 25,000 tasks would otherwise be 25,000 dependencies per dependent. */
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
  /** Instructions for the agent; the title if the plan has nothing else. */
  readonly description: string;
  readonly mark: Mark;
  /** Set when the text has no place for a mark: the progress of the task is unknown. */
  readonly isUnmarked?: true;
  readonly after: readonly Dependency[];
  /** Normalised paths. Tasks with overlapping scopes never run at the same time; an empty scope locks nothing. */
  readonly scope: readonly string[];
  /** Normalised paths inside the scope that the task must not change. Never empty; they lock nothing. */
  readonly forbidden?: readonly string[];
  /** As written; `accept-command.ts` decides which of them are commands. */
  readonly accept: readonly string[];
  readonly tier?: Tier;
  readonly agent?: string;
  /** The tier of the agent that reviews the task; absent for a task without a review. */
  readonly review?: Tier;
  /** Never empty. */
  readonly budgets?: PlanBudgets;
  readonly line: number;
}

export interface PlanReviewer {
  readonly agent: string;
  /** False for words that may also be the outcome of a review: they name an agent if there is one. */
  readonly isCertain: boolean;
}

export interface PlanWave {
  readonly number: number;
  readonly title: string;
  readonly tasks: readonly PlanTask[];
  /** The tier of the agent that reviews the wave, if the plan names one; every wave is reviewed. */
  readonly reviewTier?: Tier;
  /** The agent that reviews the wave, if the plan names one. */
  readonly reviewer?: PlanReviewer;
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
  /** The words of a command line, split by the parser; never passed to a shell. */
  readonly command?: readonly string[];
  readonly repair?: readonly string[];
  /** Runs the agents that review, if it differs from `command`. */
  readonly review?: readonly string[];
  /** Waves and the run are not reviewed. */
  readonly reviews?: 'off';
  readonly returns?: CommandReturns;
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

/** The instructions for an agent: the title, and everything else the plan says about the task. */
export function wordsFor({ title, description }: Pick<PlanTask, 'title' | 'description'>): string {
  return description === title || description.startsWith(`${title}\n`) ? description : `${title}\n\n${description}`;
}
