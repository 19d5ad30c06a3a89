/**
 * What must be true of the events of any run, whatever happened to it:
 *   once        no task completes twice, every delegation ends once, none is registered twice
 *   order       waves run one after another; a task starts when all it depends on has completed
 *   apart       tasks with overlapping scopes are never active together; never more than the concurrency
 *   honest      a task is settled as its last attempt ended; being lost or cancelled settles nothing
 *   reasons     a task is skipped only because of a dependency that did not complete
 *   nothing lost   in a run that has ended every task has ended, and a completed run has completed them all
 */
import type { EventOf, RunEvent } from '../../src/core/event.ts';
import { type Dependency, type Plan, type PlanTask } from '../../src/plan/plan.ts';

function overlap(one: readonly string[], other: readonly string[]): boolean {
  const above = (a: string, b: string): boolean => a === '.' || a === b || b.startsWith(`${a}/`);
  return one.some((a) => other.some((b) => above(a, b) || above(b, a)));
}

export function scopesOverlap(one: PlanTask, other: PlanTask): boolean {
  return overlap(one.scope, other.scope);
}

/** What was cancelled or lost says nothing about the task. */
function settles(end: EventOf<'delegation.ended'> | undefined, settled: EventOf<'task.settled'>): boolean {
  return (end?.end === 'returned' || end?.end === 'timed-out') && end.outcome.status === settled.status;
}

/** One line for each broken invariant. */
export function brokenInvariants(plan: Plan, concurrency: number, events: readonly RunEvent[]): string[] {
  const broken: string[] = [];
  const tasks = new Map(plan.waves.flatMap(({ tasks: all }) => all.map((task) => [task.id, task] as const)));
  const waveOf = new Map(plan.waves.flatMap(({ number, tasks: all }) => all.map(({ id }) => [id, number] as const)));
  const status = new Map<string, string>();
  for (const task of tasks.values()) status.set(task.id, task.mark === 'x' ? 'completed' : 'open');
  const active = new Map<string, string>();
  const known = new Set<string>();
  const ends = new Map<string, EventOf<'delegation.ended'>>();
  let ended: string | undefined;

  const completed = (after: Dependency): boolean => {
    if ('task' in after) return status.get(after.task) === 'completed';
    return plan.waves[after.wave - 1]?.tasks.every(({ id }) => status.get(id) === 'completed') ?? false;
  };
  const check = (holds: boolean, what: string): void => {
    if (!holds) broken.push(what);
  };

  for (const event of events) {
    switch (event.kind) {
      case 'run.started':
        check(active.size === 0, `started while ${active.size} delegations were active`);
        if (ended === 'completed') broken.push('a completed run started again');
        if (ended !== undefined) {
          for (const [id, was] of status) if (was !== 'completed') status.set(id, 'open');
        }
        ended = undefined;
        break;
      case 'delegation.registered': {
        const { task: id, delegation } = event;
        const task = tasks.get(id) as PlanTask;
        check(!known.has(delegation), `${delegation} was registered twice`);
        check(status.get(id) === 'open', `${id} started although it was ${status.get(id) ?? 'unknown'}`);
        check(![...active.values()].includes(id), `${id} was active twice`);
        check(task.after.every(completed), `${id} started before what it depends on had completed`);
        for (const other of active.values()) {
          check(!overlap(task.scope, tasks.get(other)?.scope ?? []), `${id} and ${other} ran in overlapping scopes`);
        }
        for (const [other, wave] of waveOf) {
          if (wave < (waveOf.get(id) ?? 0))
            check(status.get(other) !== 'open', `${id} started before ${other} had ended`);
        }
        known.add(delegation);
        active.set(delegation, id);
        check(active.size <= concurrency, `${active.size} delegations were active`);
        break;
      }
      case 'delegation.ended':
        check(active.delete(event.delegation), `${event.delegation} ended without being active`);
        ends.set(event.task, event);
        break;
      case 'task.settled':
        check(status.get(event.task) === 'open', `${event.task} was settled twice`);
        check(
          settles(ends.get(event.task), event),
          `${event.task} was settled as ${event.status} without an end that says so`,
        );
        status.set(event.task, event.status);
        break;
      case 'task.skipped':
        check(
          status.get(event.task) === 'open',
          `${event.task} was skipped although it was ${status.get(event.task) ?? ''}`,
        );
        check(
          !(tasks.get(event.task) as PlanTask).after.every(completed),
          `${event.task} was skipped although all it depends on has completed`,
        );
        status.set(event.task, 'skipped');
        break;
      case 'run.paused':
        check(event.reason !== '', 'paused without a reason');
        check(active.size === 0, 'paused with active delegations');
        break;
      case 'run.ended':
        ended = event.status;
        check(active.size === 0, 'ended with active delegations');
        if (event.status === 'cancelled') break;
        for (const [id, now] of status) {
          check(now !== 'open', `the run ended and ${id} had not`);
          if (event.status === 'completed') check(now === 'completed', `completed although ${id} was ${now}`);
        }
        break;
      case 'run.created':
      case 'wave.planned':
      case 'wave.started':
      case 'wave.ended':
      case 'delegation.started':
      case 'return.refused':
      case 'checkpoint.opened':
      case 'checkpoint.answered':
      case 'plan.written':
      case 'plan.changed':
        break;
      default:
        event satisfies never;
    }
  }
  return broken;
}
