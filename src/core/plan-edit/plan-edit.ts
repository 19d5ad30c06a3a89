/** What a person changed in a plan, as data. Tasks go by the ids they have after the change, unless they are gone. */
import type { PlanSettings, PlanTask, Tier } from '../../plan/plan.ts';

/** The mark is told by `ticked` and `unticked`; where a task stands is no part of what it says. */
export type TaskField = Exclude<keyof PlanTask, 'id' | 'mark' | 'isUnmarked' | 'line'>;

export type PlanEdit =
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'removed'; readonly task: string }
  /** `at`: its place among the tasks of the wave as they are now, from 0. */
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
  /** All tasks of the wave as they stand now; told only if those that stood in it before stand in another order. */
  | { readonly kind: 'reordered'; readonly wave: number; readonly tasks: readonly string[] }
  | {
      readonly kind: 'wave-added' | 'wave-changed';
      readonly number: number;
      readonly title: string;
      readonly reviewTier?: Tier;
    }
  | { readonly kind: 'wave-removed'; readonly number: number }
  | {
      readonly kind: 'checkpoint-added' | 'checkpoint-removed';
      readonly afterWave: number;
      readonly why: string;
    }
  | { readonly kind: 'settings'; readonly keys: readonly (keyof PlanSettings)[] }
  | { readonly kind: 'plan-changed'; readonly fields: readonly ('title' | 'goal')[] };
