/** Builds the model of the live view from a short description. */
import type { TaskProgress } from '../../src/core/state/task-state.ts';
import { type LiveModel, type LiveTask, type LiveWave, noCounts, standingOf } from '../../src/views/live/live-model.ts';

export const liveRunId = 'run_01M7G8H2CTCXA82ZHFES5TEVP2';

export function liveTask(id: string, status: LiveTask['status'], more: Partial<LiveTask> = {}): LiveTask {
  const base = { id, place: 0, title: `Task ${id}`, tier: 'standard', escalated: false, words: '' };
  return { ...base, status, standing: standingOf({ status } as TaskProgress), ...more };
}

export function liveModel(tasks: readonly LiveTask[], more: Partial<LiveModel> = {}): LiveModel {
  const counts = noCounts();
  for (const { standing } of tasks) counts[standing] += 1;
  const wave: LiveWave = { number: 1, title: 'First', status: 'running', counts };
  const placed = tasks.map((one, place) => ({ ...one, place }));
  const base = { run: liveRunId, title: 'A plan', status: 'running', since: 0, counts, wave, tasks: placed };
  return { ...base, before: [], after: [], waves: 1, checkpoints: [], quota: null, disk: null, ...more };
}
