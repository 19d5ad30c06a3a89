/**
 * Real `kill -9` of a real orchestrator with real workers, at random moments, again and again until its plan has completed.
 * Afterwards the ledger, the workers' own journal and the processes of the machine must agree that nothing was lost and
 * nothing done twice.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/output.ts';
import type { RunEvent } from '../../src/core/event/event.ts';
import { findMarked } from '../../src/process/reap.ts';
import { readLedger } from '../../src/project/project-ledger.ts';
import { count, isLong } from '../properties/runs.ts';
import { brokenInvariants } from '../simulation/invariants.ts';
import { type Random, randomOf } from '../simulation/random.ts';
import { checkoutOf, commitsOf, git, makeRepository, merged, roomsLeft } from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { environment, mainFile } from '../support/divisi.ts';
import { type CrashProject, crashProject, gateTasks, hadReturned, journalOf, makeRunnable } from './project.ts';

const kills = count(8, 200);
const newFolder = temporaryFolders();

interface Life {
  readonly code: number | null;
  readonly killed: boolean;
  readonly output: string;
}

/** Starts the command; kills it this many milliseconds after it has said something, unless it has ended by then. */
async function live(
  folder: string,
  args: readonly string[],
  killAfter: number | null,
  atStart: boolean,
): Promise<Life> {
  const child = spawn(process.execPath, [mainFile, ...args], {
    cwd: folder,
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const spoken = new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      resolve();
    });
  });
  child.stderr.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  if (killAfter !== null) {
    await Promise.race([atStart ? undefined : spoken, ended]);
    await Promise.race([sleep(killAfter), ended]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  return { code, killed: signal === 'SIGKILL', output };
}

/** One plan, from its start through its deaths to its end; how often it was killed. */
async function expectSurvival(random: Random, most: number, isRepository: boolean): Promise<number> {
  const project = crashProject(random, isLong ? 5 : 3);
  const folder = join(newFolder(project.files), 'project');
  makeRunnable(folder);
  if (isRepository) makeRepository(folder);
  const before = isRepository ? checkoutOf(folder) : {};
  let deaths = 0;
  for (;;) {
    const begun = runsOf(folder).length > 0;
    const atStart = random.chance(0.2);
    // Soon, when most is begun, or later, when work is verified and merged.
    const span = atStart ? 400 : random.chance(0.5) ? 300 : 2000;
    const killAfter = deaths < most && !isSpared(folder) ? random.below(span) : null;
    const life = await live(folder, begun ? ['resume'] : ['run', 'plan.md'], killAfter, atStart);
    if (life.code === exitCodes.needsAnswer) {
      // Work that was lost with its orchestrator too often is not tried again before a person has said so.
      const said = await live(folder, ['approve', '--all'], null, false);
      if (said.code !== 0) throw new Error(said.output);
      continue;
    }
    if (!life.killed) {
      // Killed after the run had completed, it says so, and has brought the plan's file in step.
      if (life.code === 0) break;
      if (!life.output.includes('[RUN_ENDED]')) throw new Error(life.output);
      const cleaned = await live(folder, ['clean'], null, false);
      if (cleaned.code !== 0) throw new Error(cleaned.output);
      break;
    }
    deaths += 1;
  }
  check(folder, project);
  if (isRepository) checkRepository(folder, project, before);
  return deaths;
}

/** A review or a fix that is lost four times is not tried again: its gate decides, and the plan has other tasks than expected. */
function isSpared(folder: string): boolean {
  if (runsOf(folder).length === 0) return false;
  const { events } = ledgerOf(folder);
  const attempts = (id: string): number =>
    events.filter((event) => event.kind === 'delegation.registered' && event.task === id).length;
  return gateTasks.some((id) => attempts(id) >= 3);
}

function runsOf(folder: string): readonly { readonly run: string }[] {
  const ledger = readLedger(folder);
  try {
    return ledger.runs();
  } finally {
    ledger.close();
  }
}

/**
 * Every commit is the work of one delegation that completed its task, nothing else is left of any, and the user's checkout is
 * as it was.
 */
function checkRepository(folder: string, { places }: CrashProject, before: object): void {
  const verified = new Map(
    ledgerOf(folder).events.flatMap((event) =>
      event.kind === 'task.merged' ? [[event.task, event.delegation as string] as const] : [],
    ),
  );
  const commits = commitsOf(folder);
  expect(commits.map(({ task }) => task).toSorted()).toEqual([...places.keys()].toSorted());
  for (const { task, delegation } of commits) expect([task, verified.get(task)]).toEqual([task, delegation]);
  expect(roomsLeft(folder)).toEqual([]);
  expect(git(folder, 'worktree', 'list').split('\n')).toHaveLength(1);
  expect(git(folder, 'for-each-ref', 'refs/heads/divisi-task')).toBe('');
  expect(checkoutOf(folder)).toEqual(before);
}

function check(folder: string, { tasks, places }: CrashProject): void {
  const ledger = readLedger(folder);
  const [row, ...others] = ledger.runs();
  expect(others).toEqual([]);
  const run = row?.run as NonNullable<typeof row>['run'];
  const events: RunEvent[] = [...ledger.read(run)];
  ledger.close();

  expect(brokenInvariants(events)).toEqual([]);
  expect(['plan.written', 'run.ended']).toContain(events.at(-1)?.kind);
  const settled = events.filter((event) => event.kind === 'task.settled');
  const all = [...tasks.map(({ id }) => id), ...gateTasks];
  expect(settled.map(({ task }) => task).toSorted()).toEqual(all.toSorted());
  expect(settled.filter(({ status }) => status !== 'completed')).toEqual([]);

  const ends = new Map(
    events.flatMap((event) =>
      event.kind === 'delegation.ended' ? [[event.delegation as string, event] as const] : [],
    ),
  );
  const journal = journalOf(folder);
  expect(journal.filter(({ what }) => what === 'overlap')).toEqual([]);
  const completed = new Map<string, string>();
  for (const { what, task, delegation } of journal) {
    // Every worker that ever began is accounted for, and none began after its task had completed.
    expect(ends.get(delegation)?.task, `${what} ${task} ${delegation}`).toBe(task);
    if (what === 'start') expect(completed.has(task), `${task} was begun again`).toBe(false);
    if (ends.get(delegation)?.end === 'returned') completed.set(task, delegation);
    // Work that had been returned in full is not lost.
    else expect(hadReturned(folder, run, delegation), `${delegation} had returned`).toBe(false);
  }
  expect(completed.size).toBe(all.length);
  for (const [id, path] of places) {
    expect([id, merged(folder, path)?.trimEnd().split('\n').at(-1)]).toEqual([id, completed.get(id)]);
  }
  const text = readFileSync(join(folder, 'plan.md'), 'utf8');
  expect(text.match(/\| \[x\](?: \|| →)/g)?.length).toBe(tasks.length);

  const left = findMarked(run);
  if (left.supported) expect(left.processes).toEqual([]);
  else process.stderr.write('SKIPPED: processes cannot be looked at on this system, so none were looked for\n');
}

/** Plans at the same time: an orchestrator that waits for its workers or its death leaves the processor idle. */
const lanes = isLong ? 4 : 2;

describe.concurrent('a killed orchestrator', { timeout: isLong ? 1_800_000 : 180_000 }, () => {
  const seed = isLong ? Date.now() % 1_000_000 : 1;
  const share = Math.ceil(kills / lanes);
  it.each(Array.from({ length: lanes }, (_, lane) => lane))(`survives ${share} kills, lane %d`, async (lane) => {
    const random = randomOf(seed + lane);
    let deaths = 0;
    let plans = 0;
    while (deaths < share) {
      try {
        deaths += await expectSurvival(random, Math.min(isLong ? 12 : 4, share - deaths), (plans + lane) % 2 === 0);
      } catch (error) {
        throw new Error(
          `after ${deaths} kills, seed ${seed + lane}: ${error instanceof Error ? error.message : String(error)}`,
          { cause: error },
        );
      }
      plans += 1;
    }
    process.stdout.write(`${deaths} kills over ${plans} plans, seed ${seed + lane}\n`);
  });
});
