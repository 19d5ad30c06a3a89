/** Marks finished phases in the plan, in the user's files. Changes nothing but the marks. */
import { commandOf } from '../core/workflow/command-end.ts';
import type { RunState } from '../core/state/state.ts';
import { markPhase, type PhaseMark, readPhases } from '../todo/plan-phases.ts';
import { readTaskFile, writeTaskFile } from './task-files.ts';

const mostTries = 5;

/** Keeps concurrent edits of the plan. Returns the number of open phases. */
export async function markPhases(project: string, state: RunState): Promise<number> {
  const { plan } = commandOf(state);
  if (plan === undefined) return 0;
  const marks = marksOf(state);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const file = await readTaskFile(project, plan);
    if (file === null) return 0;
    let { text } = file;
    const titles = new Map(readPhases(text).map(({ number, title }) => [number, title]));
    for (const [phase, { mark, title }] of marks) {
      // Skips a phase that was replaced since: it is not the one that was done.
      if (title.endsWith(`: ${titles.get(phase) ?? ''}`)) text = markPhase(text, phase, mark);
    }
    if (text === file.text || (await writeTaskFile(project, plan, text, file.hash))) return openIn(text);
  }
  return 0;
}

function marksOf({ tasks }: RunState): Map<number, { readonly mark: PhaseMark; readonly title: string }> {
  const marks = new Map<number, { mark: PhaseMark; title: string }>();
  for (const { planned, progress } of tasks.values()) {
    const [, phase] = /\.(\d+)$/.exec(planned.id) ?? [];
    if (phase === undefined) continue;
    if (progress.status === 'completed') marks.set(Number(phase), { mark: 'COMPLETED', title: planned.title });
    if (progress.status === 'partial') marks.set(Number(phase), { mark: 'PARTIAL', title: planned.title });
  }
  return marks;
}

const openIn = (text: string): number => readPhases(text).filter(({ isDone }) => !isDone).length;
