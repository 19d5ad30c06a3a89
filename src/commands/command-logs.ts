/** Writes `sessions.jsonl` in the project's state folder: the results of task commands. Bounded and atomic, with one line per end. */
import { join } from 'node:path';
import type { RunState } from '../core/state/state.ts';
import { inTurn, type LogPlace } from '../project/log-file.ts';
import { commandReport } from '../views/command/command-report.ts';
import { stateFolder } from '../workspace/places.ts';
import { writePrivately } from '../workspace/atomic-file.ts';
import { readInside } from '../workspace/project-path.ts';

const sessionsFile = 'sessions.jsonl';
const mostSessions = 2000;

export async function logSession(place: LogPlace, state: RunState, status: string): Promise<void> {
  return inTurn(place, sessionsFile, () => addSession(stateFolder(place.project, place.environment), state, status));
}

async function addSession(folder: string, state: RunState, status: string): Promise<void> {
  const { command, number, run, end, agents, sessions, artifacts } = commandReport(state);
  const session = sessions.at(-1) ?? '';
  const lines = ((await readInside(folder, sessionsFile)) ?? '').split('\n').filter((line) => line !== '');
  if (lines.some((line) => isOf(line, run, session))) return;
  const at = new Date(endedAt(state)).toISOString();
  const line = JSON.stringify({ at, command, task: number, run, session, end, status, agents, artifacts });
  await writePrivately(join(folder, sessionsFile), `${[...lines, line].slice(-mostSessions).join('\n')}\n`);
}

function isOf(line: string, run: string, session: string): boolean {
  return line.includes(`"run":${JSON.stringify(run)},"session":${JSON.stringify(session)}`);
}

function endedAt({ tasks }: RunState): number {
  return Math.max(0, ...Array.from(tasks.values(), (task) => task.attempt?.endedAt ?? 0));
}
