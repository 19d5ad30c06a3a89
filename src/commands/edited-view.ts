/** Types of the edits that people make in TODO.md and state.json. */
import type { View, ViewName } from '../ledger/task-list/task-views.ts';
import type { TaskFile } from './task-files.ts';
import type { ViewReading } from './view-format.ts';

/** A file that is not as it was left. */
export interface EditedView {
  readonly name: ViewName;
  readonly path: string;
  readonly file: TaskFile;
  readonly reading: ViewReading;
  /** What is known of the last writing; null for a file that is met for the first time. */
  readonly view: View | null;
}

export interface TakenEdits {
  /** Numbers that the task list did not know. */
  readonly imported: number[];
  readonly taken: { readonly number: number; readonly file: string; readonly fields: readonly string[] }[];
  /** The task list stayed as it was, and the file is brought back to it. */
  readonly conflicts: { readonly number: number; readonly file: string; readonly what: string }[];
}
