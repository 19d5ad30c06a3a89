/** Activity: everything needed to execute one delegation. */
import type { EventOf } from '../event/event.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import type { Role } from '../event/role.ts';
import type { PreviousAttempt } from '../state/task-state.ts';
import type { TaskSurroundings } from './task-surroundings.ts';
import type { RoomFacts } from '../event/verification.ts';
import type { Workflow } from '../event/workflow.ts';

/** One attempt at a task. Its key is the delegation's id: starting the same key twice starts it once. */
export interface Activity {
  readonly key: string;
  readonly wave: number;
  readonly task: PlannedTask;
  readonly registered: EventOf<'delegation.registered'>;
  /** Accounts of earlier attempts, for the prompt. */
  readonly earlier: readonly string[];
  readonly notes: readonly string[];
  /** Absent where only the return of an attempt is looked for. */
  readonly surroundings?: TaskSurroundings;
  /** The purpose of the run; absent for a run of a plan file. */
  readonly workflow?: Workflow;
  /** A review or a fix also reads the reports of others. */
  readonly role: Role;
  /** The room of the attempt, if known: inspected after a crash. */
  readonly room?: RoomFacts;
  readonly before?: PreviousAttempt;
}
