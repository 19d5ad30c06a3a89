/** Adds the next step of a feature, a task that no plan names. */
import type { EventOf } from '../event/event.ts';
import { illegal, waveOf } from './illegal.ts';
import { enter } from '../state/slots.ts';
import { findTask, isOpen, type RunState } from '../state/state.ts';
import { newTask } from '../state/task-state.ts';

export function addStep(state: RunState, event: EventOf<'step.added'>): void {
  const { feature, phase, part, round, task: planned } = event;
  if (findTask(state, planned.id) !== undefined) throw illegal(event, `task ${planned.id} already exists`);
  const wave = waveOf(state, event.wave, event);
  if (!isOpen(wave)) throw illegal(event, `wave ${event.wave} is ${wave.status}`);
  const task = newTask(planned, event.wave);
  wave.tasks.push(task);
  state.tasks.set(planned.id, task);
  state.steps.set(planned.id, { feature, phase, part, round });
  state.index.unsettled += 1;
  enter(state, task);
}
