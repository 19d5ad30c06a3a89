/** `divisi path`: prints the room of a task, for `cd "$(divisi path 2.3)"`. */
import { existsSync } from 'node:fs';
import { divisiError } from '../../base/error.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { findAttempt } from '../../run-work/find-work.ts';
import { runRepository } from '../../run-work/run-repository.ts';
import { directoryIn } from '../../run-work/run-workspace.ts';
import { findRunTask } from '../../project/find-run.ts';
import { isRoomOf } from '../../workspace/git/room/room-record.ts';
import { attemptOption } from './attempt-option.ts';
import { type Answer, exitCodes } from '../output.ts';

export interface PathOptions {
  readonly json?: boolean;
  readonly attempt?: string;
}

export async function showPath(project: string, name: string, options: PathOptions): Promise<Answer> {
  const wanted = attemptOption(options.attempt);
  const ledger = readLedger(project);
  try {
    const { row, state, task } = findRunTask(ledger, name);
    const { repository, facts } = await runRepository(state, project, process.env);
    const { id } = task.planned;
    const { attempt, room } = findAttempt(state, { task, attempt: wanted, events: () => ledger.read(row.run) });
    const isThere = room !== null && existsSync(room.folder) && (await isRoomOf(repository, room.folder, room.branch));
    if (!isThere) {
      throw divisiError('TASK_UNKNOWN', {
        message: `attempt ${attempt} at ${id} has no room now`,
        next: `\`divisi diff ${row.run}/${id} --attempt ${attempt}\` shows its work. Rooms are removed when their task has completed.`,
        ids: { run: row.run, task: id },
      });
    }
    const folder = directoryIn(facts)(room);
    return { code: exitCodes.completed, json: { run: row.run, task: id, attempt, path: folder }, text: folder };
  } finally {
    ledger.close();
  }
}
