/** Crashes a scripted run at any of its events, brings it to its end, and says what has become of it. */
import type { RunState } from '../../src/core/state/state.ts';
import { Crash, type ScriptedRun } from './scripted-run.ts';

/** Without what depends on how often something was tried. */
export function outcomeOf(state: RunState): object {
  const tasks = [...state.tasks.values(), ...state.gateTasks.values()];
  return {
    status: state.status,
    tasks: tasks.map(({ planned, progress, tier }) => [planned.id, progress.status, tier]),
    waves: state.waves.map(({ status }) => status),
    gates: [...state.gates.values()].map(({ key, status, verdict, round, fixes }) => [
      key,
      status,
      verdict,
      round,
      fixes,
    ]),
    findings: [...state.findings.values()],
    checkpoints: state.checkpoints.map(({ id, status }) => [id, status]),
  };
}

/** To its end: what is asked is answered with yes. */
export async function toItsEnd(run: ScriptedRun, recovers: boolean): Promise<RunState> {
  let state = await run.work({ recovers });
  while (state.status === 'paused') {
    run.answer({ approved: true, all: true });
    state = await run.work();
  }
  return state;
}

/** As far as the event, and no further; a person's answer on the way counts too. */
export async function crashAt(run: ScriptedRun, at: number): Promise<void> {
  for (;;) {
    const state = await run.work({ crashAt: at }).catch((error: unknown) => {
      if (error instanceof Crash) return undefined;
      throw error;
    });
    if (state === undefined) return;
    run.answer({ approved: true, all: true });
    if (run.events.length >= at) return;
  }
}
