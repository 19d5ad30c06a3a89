/**
 * Writes two files for people: `.divisi/errors.json` (refused returns) and `.divisi/sessions.jsonl` (command results). Both are bounded and
 * atomic, with one entry per delegation.
 */
import { join } from 'node:path';
import { isObject } from '../base/json-value.ts';
import type { RunState } from '../core/state/state.ts';
import { withFileLock } from '../ledger/file-lock.ts';
import { ledgerFile } from '../project/project-ledger.ts';
import { commandReport } from '../views/command/command-report.ts';
import { writeAtomically } from '../workspace/atomic-file.ts';
import { folderInside, readInside } from '../workspace/project-path.ts';

const errorsFile = '.divisi/errors.json';
const sessionsFile = '.divisi/sessions.jsonl';
const mostErrors = 200;
const mostSessions = 2000;

/** Newest last. An unreadable file is replaced. */
export async function logError(project: string, state: RunState): Promise<void> {
  return inTurn(project, errorsFile, () => addError(project, state));
}

async function addError(project: string, state: RunState): Promise<void> {
  const { command, number, run, trouble } = commandReport(state);
  if (trouble === undefined) return;
  const { agent, session, violations, recommendation, returned } = trouble;
  const known = readErrors(await readInside(project, errorsFile));
  if (known.some((one) => one['session'] === session)) return;
  const at = new Date(endedAt(state)).toISOString();
  const entry = { at, command, agent, session, task: number, run, violations, recommendation, return: returned };
  await write(project, errorsFile, `${JSON.stringify([...known, entry].slice(-mostErrors), null, 2)}\n`);
}

function readErrors(text: string | undefined): Record<string, unknown>[] {
  try {
    const value = JSON.parse(text ?? '[]') as unknown;
    return Array.isArray(value) ? value.filter(isObject) : [];
  } catch {
    return [];
  }
}

export async function logSession(project: string, state: RunState, status: string): Promise<void> {
  return inTurn(project, sessionsFile, () => addSession(project, state, status));
}

async function addSession(project: string, state: RunState, status: string): Promise<void> {
  const { command, number, run, end, agents, sessions, artifacts } = commandReport(state);
  const session = sessions.at(-1) ?? '';
  const lines = ((await readInside(project, sessionsFile)) ?? '').split('\n').filter((line) => line !== '');
  if (lines.some((line) => isOf(line, run, session))) return;
  const at = new Date(endedAt(state)).toISOString();
  const line = JSON.stringify({ at, command, task: number, run, session, end, status, agents, artifacts });
  await write(project, sessionsFile, `${[...lines, line].slice(-mostSessions).join('\n')}\n`);
}

function isOf(line: string, run: string, session: string): boolean {
  return line.includes(`"run":${JSON.stringify(run)},"session":${JSON.stringify(session)}`);
}

function endedAt({ tasks }: RunState): number {
  return Math.max(0, ...Array.from(tasks.values(), (task) => task.attempt?.endedAt ?? 0));
}

/** Commands on several tasks may end at the same moment. */
async function inTurn(project: string, file: string, work: () => Promise<void>): Promise<void> {
  return withFileLock(`${ledgerFile(project)}.${file.slice('.divisi/'.length)}`, work);
}

async function write(project: string, file: string, text: string): Promise<void> {
  await writeAtomically(join(await folderInside(project, '.divisi'), file.slice('.divisi/'.length)), text);
}
