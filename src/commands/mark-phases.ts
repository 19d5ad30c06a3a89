/** The phases that a command has finished are marked in the plan, in the user's own files. Every byte but the marks stays. */
import { commandOf } from '../core/command-end.ts';
import type { RunState } from '../core/state.ts';
import { markPhase, type PhaseMark } from '../todo/plan-phases.ts';
import { readTaskFile, writeTaskFile } from './task-files.ts';

const mostTries = 5;

/** Somebody who edits the plan at the same moment keeps what they wrote. */
export async function markPhases(project: string, state: RunState): Promise<void> {
  const { plan } = commandOf(state);
  if (plan === undefined) return;
  const marks = marksOf(state);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const file = await readTaskFile(project, plan);
    if (file === null) return;
    let { text } = file;
    for (const [phase, mark] of marks) text = markPhase(text, phase, mark);
    if (text === file.text || (await writeTaskFile(project, plan, text, file.hash))) return;
  }
}

function marksOf({ tasks }: RunState): Map<number, PhaseMark> {
  const marks = new Map<number, PhaseMark>();
  for (const { planned, progress } of tasks.values()) {
    const [, phase] = /\.(\d+)$/.exec(planned.id) ?? [];
    if (phase === undefined) continue;
    if (progress.status === 'completed') marks.set(Number(phase), 'COMPLETED');
    if (progress.status === 'partial') marks.set(Number(phase), 'PARTIAL');
  }
  return marks;
}
