/**
 * Real `kill -9` of a command in each of its stages, one after the other. The same command continues each time, and in the end the
 * task list, TODO.md, state.json, the plan and git say the same, with every step taken once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandHooks } from '../../src/commands/command-hooks.ts';
import type { RunId } from '../../src/base/ids.ts';
import type { PostflightFact } from '../../src/core/event/workflow-step.ts';
import { foldRun } from '../../src/ledger/fold-run.ts';
import { withLedger } from '../../src/project/project-ledger.ts';
import { commandReport } from '../../src/views/command/command-report.ts';
import {
  agentStarts,
  taskListOf,
  commandProject,
  give,
  stateIn,
  statusIn,
  todoOf,
  uncommitted,
  viewCommits,
} from '../support/command-project.ts';
import { git } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { environment } from '../support/divisi.ts';
import { stateFolder } from '../../src/workspace/places.ts';

const newFolder = temporaryFolders();
const child = fileURLToPath(new URL('killed-command.ts', import.meta.url));
const folder = '.divisi/specs/12_add_a_login';
const plan = `${folder}/plans/implementation-001.md`;

async function killedAt(project: string, command: string, moment: string): Promise<string | null> {
  const process_ = spawn(process.execPath, [child, project, command, moment], {
    env: environment(project),
    stdio: 'ignore',
  });
  const [, signal] = (await once(process_, 'exit')) as [number | null, string | null];
  return signal;
}

/** As far as a process comes that has done it and dies before it can say so. */
async function doneUnrecorded(project: string, fact: PostflightFact): Promise<void> {
  await withLedger(project, async (ledger) => {
    const [row] = ledger.runs();
    if (row === undefined) throw new Error('there is no run');
    const hooks = commandHooks(row.run, { project, environment: environment(project), ledger, warn: () => undefined });
    await hooks.postflight(fact);
  });
}

describe('a command that is killed in each of its stages', () => {
  it('ends the same way', { timeout: 120_000 }, async () => {
    const files = {
      'TODO.md': todoOf('general', 'PLANNED'),
      [plan]: '# Plan\n\n## Phase 1: All of it\n\n- [ ] do it\n',
    };
    const project = commandProject(newFolder(), { files });
    // What is decided at once is durable at once: the beginning of the merge with the verification, the stages with the merge.
    for (const moment of [
      'run.created',
      'run.started',
      'delegation.registered',
      'delegation.started',
      'delegation.ended',
      'task.verified',
      'task.merged',
    ]) {
      expect([moment, await killedAt(project, 'implement', moment)]).toEqual([moment, 'SIGKILL']);
      expect(taskListOf(project)?.status).toBe('implementing');
    }
    for (const fact of ['sync', 'todo', 'state', 'commit'] as const) {
      await doneUnrecorded(project, fact);
      expect([fact, await killedAt(project, 'implement', `postflight.done:${fact}`)]).toEqual([fact, 'SIGKILL']);
    }
    // The end of the run is durable with the last step.
    const report = await withLedger(project, async (ledger) => {
      const rows = ledger.runs();
      expect(rows.map(({ status }) => status)).toEqual(['completed']);
      return commandReport(foldRun(ledger, rows[0]?.run as RunId));
    });
    expect(report).toMatchObject({ end: 'completed', status: 'completed', undone: [] });
    expect([statusIn(project), stateIn(project), taskListOf(project)?.status]).toEqual([
      'COMPLETED',
      'completed',
      'completed',
    ]);
    expect(readFileSync(join(project, plan), 'utf8')).toContain('## Phase 1: All of it [COMPLETED]\n');
    // What a kill left while a view was written has been swept.
    expect([viewCommits(project), report.commit, uncommitted(project)]).toEqual([
      ['12 completed: Add a login'],
      git(project, 'rev-parse', 'HEAD'),
      [],
    ]);
    const tasks = git(project, 'log', '--format=%(trailers:key=Divisi-Task,valueonly)').split('\n').filter(Boolean);
    expect(tasks).toEqual(['12.1']);
    expect(taskListOf(project)?.artifacts).toEqual([
      { type: 'summary', path: `${folder}/summaries/implementation-summary-001.md` },
    ]);
    const sessions = readFileSync(join(stateFolder(project), 'sessions.jsonl'), 'utf8');
    expect(sessions.trimEnd().split('\n')).toHaveLength(1);
    // Once an agent had returned, it was not asked again.
    expect(agentStarts(project).length).toBeLessThanOrEqual(3);
    await expect(give(project, 'implement')).rejects.toMatchObject({ code: 'TASK_TRANSITION' });
  });

  it('is logged once where its return was not accepted, and leaves the task as it was', async () => {
    const project = commandProject(newFolder(), { behave: { '12 1': 'never' }, hasRepair: false });
    expect(await killedAt(project, 'research', 'stage.reached:validation')).toBe('SIGKILL');
    expect(taskListOf(project)?.status).toBe('researching');
    await doneUnrecorded(project, 'sync');
    const { report } = await give(project, 'research');
    expect([report.end, taskListOf(project)?.status, statusIn(project)]).toEqual([
      'invalid',
      'not started',
      'NOT STARTED',
    ]);
    expect(JSON.parse(readFileSync(join(project, '.divisi/errors.json'), 'utf8'))).toHaveLength(1);
    expect(agentStarts(project)).toEqual(['12 1 researcher']);
    expect(git(project, 'rev-list', '--count', 'HEAD')).toBe('1');
  });
});
