/** Plan document: a plan with its text and the places in it that an edit may change. */
import type { ReportPlace } from './read/draft.ts';
import type { MarkPlace } from './read/mark-place.ts';
import type { Plan } from './plan.ts';
import type { Span } from './markdown/span.ts';

export interface TaskPlaces {
  /** Every place that shows the mark of the task; an edit keeps them in sync. */
  readonly marks: readonly MarkPlace[];
  readonly reports: readonly ReportPlace[];
}

/** The end of a section that grows; `after` is the text before it. */
export interface GrowingPlace {
  readonly at: number;
  readonly after: 'heading' | 'item' | 'other';
  /** True if the section ends inside open code or an open comment. */
  readonly isOpen?: boolean;
}

/** A section that lists reviews; its text begins at `from`. */
export interface AuditPlace extends GrowingPlace {
  readonly from: number;
}

/** An item of the list of deferred findings: its text as written, and its box if it has one. */
export interface DeferredItem {
  readonly text: Span;
  readonly box?: MarkPlace;
}

export interface PlanPlaces {
  readonly tasks: ReadonlyMap<string, TaskPlaces>;
  readonly waves: ReadonlyMap<number, readonly MarkPlace[]>;
  /** By the number of the wave before them. */
  readonly checkpoints: ReadonlyMap<number, readonly MarkPlace[]>;
  /** The word for the state of the whole plan, if it has one. */
  readonly state?: Span;
  readonly log?: GrowingPlace;
  /** By the number of their wave; 0 for the section outside of waves. */
  readonly audits: ReadonlyMap<number, AuditPlace>;
  readonly files?: GrowingPlace & { readonly paths: ReadonlySet<string> };
  readonly deferred?: GrowingPlace & { readonly items: readonly DeferredItem[] };
  /** Closes code or a comment that is open at the end of the text. */
  readonly closing?: string;
  readonly lineEnd: string;
}

export interface PlanDocument {
  readonly file: string;
  readonly text: string;
  readonly plan: Plan;
  readonly places: PlanPlaces;
}
