/**
 * RunIndex: the tasks, gates and findings that `decide` has to look at next. Derived from the rest of the state and kept up to
 * date by `apply`, so deciding never searches all tasks.
 */
import { newLocks, type ScopeLocks } from '../../delegation/scope-locks.ts';
import { newQueue, type Queue } from './queue.ts';
import type { Group, TaskState } from './task-state.ts';

export interface RunIndex {
  /** Gates of single tasks with a step due. */
  readonly dueGates: Set<string>;
  /** Findings not yet given to a fixer. */
  readonly deferred: Set<string>;
  /** Number of unsettled tasks in the running wave. */
  unsettled: number;
  /** Groups that wait for nothing but a slot and locks. */
  readonly ready: Queue<Group>;
  /** Groups by scope. */
  readonly groups: Map<string, Group>;
  /** Groups waiting for a task's lock, by that task. */
  readonly waiting: Map<string, Group[]>;
  /** Tasks with locks and a slot, not yet registered. */
  startable: Map<string, TaskState>;
  locks: ScopeLocks;
  /** Tasks being verified or merged; they keep their slot and locks. */
  settling: Map<string, TaskState>;
  /** Tasks whose attempt has ended and whose consequence is undecided. */
  ended: Map<string, TaskState>;
  /** Tasks that cannot run, with the dependency that did not complete. */
  readonly toSkip: Map<string, { readonly task: TaskState; readonly because: string }>;
  /** Failure signatures that reached the breaker's limit, not yet asked about. */
  readonly tripped: Set<string>;
}

export function newIndex(): RunIndex {
  return {
    dueGates: new Set(),
    deferred: new Set(),
    unsettled: 0,
    ready: newQueue(),
    groups: new Map(),
    waiting: new Map(),
    startable: new Map(),
    locks: newLocks(),
    settling: new Map(),
    ended: new Map(),
    toSkip: new Map(),
    tripped: new Set(),
  };
}
