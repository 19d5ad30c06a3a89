/** Says why a checkpoint is open: in the plan's words, or from the waves around it where the plan gives no reason. */
import { type CheckpointState, type RunState, waveAt, type WaveState } from './state.ts';

export function whyOf(state: RunState, checkpoint: CheckpointState): string {
  if (checkpoint.kind !== 'planned' || checkpoint.why !== '') return checkpoint.why;
  const { afterWave } = checkpoint;
  const next = waveAt(state, afterWave + 1);
  const isLast = next === undefined || next === state.final;
  const question = isLast ? 'Finish the run?' : `Continue with ${left(next)}?`;
  return `${ended(waveAt(state, afterWave))}${question}`;
}

function ended(wave: WaveState | undefined): string {
  if (wave === undefined) return '';
  return wave.status === 'failed'
    ? `Wave ${wave.inPlan} has ended with failures. `
    : `Wave ${wave.inPlan} is complete. `;
}

/** `wave 2 (3 tasks)`: those that are not ticked in the plan. */
function left({ inPlan, tasks }: WaveState): string {
  const open = tasks.filter(({ progress }) => progress.status !== 'completed').length;
  return `wave ${inPlan} (${open} ${open === 1 ? 'task' : 'tasks'})`;
}
