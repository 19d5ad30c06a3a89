/**
 * Plan edit: one change that a person made to a plan. Tasks have the ids they have after the change, unless they are
 * gone.
 */
import type { PlanReviewer, PlanSettings, PlanTask, Tier } from '../../plan/plan.ts';

/** `ticked` and `unticked` cover the mark; the position of a task is not part of its content. */
export type TaskField = Exclude<keyof PlanTask, 'id' | 'mark' | 'isUnmarked' | 'line'>;

export type PlanEdit =
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'removed'; readonly task: string }
  /** `at` is its index among the current tasks of the wave. */
  | {
      readonly kind: 'added';
      readonly wave: number;
      readonly title: string;
      readonly at: number;
      readonly task: PlanTask;
    }
  | { readonly kind: 'moved'; readonly task: string; readonly wave: number; readonly at: number }
  | { readonly kind: 'changed'; readonly task: PlanTask; readonly fields: readonly TaskField[] }
  | { readonly kind: 'ticked' | 'unticked'; readonly task: string }
  /** All current tasks of the wave; only reported if those that were in it before changed their order. */
  | { readonly kind: 'reordered'; readonly wave: number; readonly tasks: readonly string[] }
  | {
      readonly kind: 'wave-added' | 'wave-changed';
      readonly number: number;
      readonly title: string;
      readonly reviewTier?: Tier;
      readonly reviewer?: PlanReviewer;
    }
  | { readonly kind: 'wave-removed'; readonly number: number }
  | {
      readonly kind: 'checkpoint-added' | 'checkpoint-removed';
      readonly afterWave: number;
      readonly why: string;
    }
  | { readonly kind: 'settings'; readonly keys: readonly (keyof PlanSettings)[] }
  | { readonly kind: 'plan-changed'; readonly fields: readonly ('title' | 'goal')[] };
