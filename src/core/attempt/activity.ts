/** Activity: everything needed to execute one delegation. */
import type { EventOf } from '../event/event.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import type { Role } from '../event/role.ts';
import type { Before } from '../state/task-state.ts';
import type { WorktreeFacts } from '../event/verification.ts';
import type { Workflow } from '../event/workflow.ts';

/** One attempt at a task. Its key is the delegation's id: starting the same key twice starts it once. */
export interface Activity {
  readonly key: string;
  readonly wave: number;
  readonly task: PlannedTask;
  readonly registered: EventOf<'delegation.registered'>;
  /** What was tried before, and what people have said about it: data for the prompt. */
  readonly earlier: readonly string[];
  readonly notes: readonly string[];
  /** What the run is for, where no plan's file says it. */
  readonly workflow?: Workflow;
  /** A review or a fix reads what others have reported. */
  readonly role: Role;
  /** Where it worked, as far as that is known: for what is looked at after a crash. */
  readonly worktree?: WorktreeFacts;
  /** The attempt before. */
  readonly before?: Before;
}
