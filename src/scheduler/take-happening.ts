/** Turns happenings of the engine into events. Drops duplicates and those that come too late. */
import { defined } from '../base/defined.ts';
import type { DelegationId } from '../base/ids.ts';
import { awaitsCheck } from '../core/apply/apply-settling.ts';
import { awaitsUpdate, nextUpdate } from '../core/apply/apply-updates.ts';
import { applicableEdit } from '../core/decide/decide-edits.ts';
import { baseCheckOf } from '../core/state/base-checks.ts';
import type { NewEvent } from '../core/event/event.ts';
import { wakeTime } from '../core/state/hold.ts';
import { nextCheckpoint, openCheckpoints, type RunState } from '../core/state/state.ts';
import type { Happening, PlanEdited, StepEvent } from '../engine/engine.ts';
import { amendmentList } from '../views/run/amendment-changes.ts';

type Record = (event: NewEvent) => void;

export function takeHappening(state: RunState, happening: Exclude<Happening, { kind: 'stop' }>, record: Record): void {
  switch (happening.kind) {
    case 'ended': {
      const active = state.active.get(happening.key as DelegationId);
      if (active === undefined) return;
      const { delegation, task } = active.registered;
      record({ kind: 'delegation.ended', delegation, task, end: happening.end, outcome: happening.outcome });
      return;
    }
    case 'noted':
      if (state.active.has(happening.note.delegation)) record(happening.note);
      return;
    case 'stepped':
      if (isStepOf(state, happening.event)) record(happening.event);
      return;
    case 'interrupted':
      return;
    case 'answered': {
      const { key: checkpoint, approved, note } = happening;
      if (!state.checkpoints.some(({ id, status }) => id === checkpoint && status === 'open')) return;
      record({
        kind: 'checkpoint.answered',
        checkpoint,
        approved,
        by: 'person',
        ...defined({ note }),
      });
      return;
    }
    case 'update':
      record({ kind: 'update.requested', ...nextUpdate(state), ...happening.request });
      return;
    case 'time':
      // Woken to look at the disk again.
      if (state.disk.low !== null && happening.time < (wakeTime(state) ?? Infinity)) return;
      record({ kind: 'clock.reached', time: happening.time });
      return;
    case 'edited':
      takeEdit(state, happening.edit, record);
      return;
    default:
      happening satisfies never;
  }
}

/** The run still waits for this step. */
function isStepOf(state: RunState, event: StepEvent): boolean {
  switch (event.kind) {
    case 'base.checked':
      return baseCheckOf(state, event.check.argv, event.updates) === undefined;
    case 'task.verified': {
      const progress = state.index.settling.get(event.task)?.progress;
      return progress?.status === 'verifying' && progress.delegation === event.delegation;
    }
    case 'task.merged':
    case 'task.conflicted':
      return state.merge?.delegation === event.delegation;
    case 'gate.checked':
      return awaitsCheck(state, event);
    case 'workspace.updated':
    case 'update.refused':
      return awaitsUpdate(state, event.update);
    case 'postflight.done':
      return state.command.facts[event.fact] === undefined;
    default:
      return event satisfies never;
  }
}

/**
 * Applies an edit of the plan; amendments that the run has passed become conflicts. Replaces the question about an earlier edit,
 * unless the file is not a valid plan.
 */
export function takeEdit(state: RunState, edit: PlanEdited, record: Record): void {
  const { file, hash } = edit;
  const conflicts = [...edit.conflicts];
  const asked = edit.isUnreadable === true ? [] : openCheckpoints(state).filter(({ kind }) => kind === 'edit');
  for (const { id } of asked) record({ kind: 'checkpoint.withdrawn', checkpoint: id });
  const taken = new Set(applicableEdit(state, [...edit.amendments, ...edit.toConfirm], (why) => conflicts.push(why)));
  record({ kind: 'plan.changed', file, hash, conflicts });
  const amendments = edit.amendments.filter((amendment) => taken.has(amendment));
  if (amendments.length > 0) record({ kind: 'plan.amended', amendments });
  const toConfirm = edit.toConfirm.filter((amendment) => taken.has(amendment));
  if (toConfirm.length === 0) return;
  const why = `the plan was edited: ${amendmentList(toConfirm)}`;
  record({ kind: 'checkpoint.opened', ...nextCheckpoint(state), type: 'edit', why, amendments: toConfirm });
}
