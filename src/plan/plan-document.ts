/** A plan together with the text it was read from and the places in it that an edit may touch. */
import type { ReportPlace } from './read/draft.ts';
import type { MarkPlace } from './read/mark-place.ts';
import type { Plan } from './plan.ts';
import type { Span } from './markdown/span.ts';

export interface TaskPlaces {
  /** Every place that shows the mark of the task; an edit keeps them in step. */
  readonly marks: readonly MarkPlace[];
  readonly reports: readonly ReportPlace[];
}

/** The end of a section that grows; `after` is what stands there. */
export interface GrowingPlace {
  readonly at: number;
  readonly after: 'heading' | 'item' | 'other';
  /** What is open at the end of the text is open here. */
  readonly isOpen?: boolean;
}

/** An item of the list of deferred findings: its words as they are written, and its box where it has one. */
export interface DeferredItem {
  readonly text: Span;
  readonly box?: MarkPlace;
}

export interface PlanPlaces {
  readonly tasks: ReadonlyMap<string, TaskPlaces>;
  readonly waves: ReadonlyMap<number, readonly MarkPlace[]>;
  /** By the number of the wave they follow. */
  readonly checkpoints: ReadonlyMap<number, readonly MarkPlace[]>;
  /** The word for the state of the whole plan, where it has one. */
  readonly state?: Span;
  readonly log?: GrowingPlace;
  readonly files?: GrowingPlace & { readonly paths: ReadonlySet<string> };
  readonly deferred?: GrowingPlace & { readonly items: readonly DeferredItem[] };
  /** What ends code or a comment that is open where the text ends. */
  readonly closing?: string;
  readonly lineEnd: string;
}

export interface PlanDocument {
  readonly file: string;
  readonly text: string;
  readonly plan: Plan;
  readonly places: PlanPlaces;
}
