/** Applies a person's edit to the model. */
import type { Amendment } from '../../src/core/event/amendment.ts';
import { type Model, newTask, taskOf } from './model.ts';

export function amend(model: Model, amendment: Amendment): void {
  switch (amendment.kind) {
    case 'add':
      model.tasks.set(amendment.task.id, newTask(amendment.task, amendment.wave));
      break;
    case 'remove':
      model.tasks.delete(amendment.task);
      break;
    case 'change': {
      const task = taskOf(model, amendment.task.id);
      task.planned = amendment.task;
      task.tier = amendment.task.tier;
      break;
    }
    case 'move':
      taskOf(model, amendment.task).wave = amendment.wave;
      break;
    case 'tick':
      taskOf(model, amendment.task).status = 'completed';
      break;
    case 'rename':
      rename(model, amendment.from, amendment.to);
      break;
    case 'add-wave':
      for (const task of model.tasks.values()) if (task.wave === model.final) task.wave += 1;
      model.final += 1;
      break;
    case 'order':
    case 'change-wave':
    case 'add-checkpoint':
    case 'remove-checkpoint':
      break;
    default:
      amendment satisfies never;
  }
}

function rename({ tasks }: Model, from: string, to: string): void {
  const own = tasks.get(from);
  if (own === undefined) return;
  tasks.delete(from);
  tasks.set(to, { ...own, planned: { ...own.planned, id: to } });
  for (const task of tasks.values()) {
    const after = task.planned.after.map((one) => ('task' in one && one.task === from ? { task: to } : one));
    task.planned = { ...task.planned, after };
  }
}
