/** Types of the edits that people make in TODO.md and state.json. */
import type { View, ViewName } from '../ledger/task-list/task-views.ts';
import type { TaskFile } from './task-files.ts';
import type { ViewReading } from './view-format.ts';

/** A file that changed since it was last written. */
export interface EditedView {
  readonly name: ViewName;
  readonly path: string;
  readonly file: TaskFile;
  readonly reading: ViewReading;
  /** Record of the last write; null for a file seen for the first time. */
  readonly view: View | null;
}

export interface AppliedEdits {
  /** Numbers new to the task list. */
  readonly imported: number[];
  readonly taken: { readonly number: number; readonly file: string; readonly fields: readonly string[] }[];
  /** Edits that lost: the task list is unchanged, and the file is reset to it. */
  readonly conflicts: { readonly number: number; readonly file: string; readonly what: string }[];
}
