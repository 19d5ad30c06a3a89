/**
 * State that came with a clone, or that something other than Divisi has written (F1, F6, F7, F9, F10, F21). A clone brings a ledger,
 * forged events or links; another user prepares folders. Nothing of it is executed or obeyed.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diffText } from '../../src/workspace/git/look-up.ts';
import { findRepository } from '../../src/workspace/git/repository.ts';
import { ledgerFile, stateFolder } from '../../src/workspace/places.ts';
import { gitIn, gitProject } from '../support/committed-project.ts';
import { type Run, divisi } from '../support/divisi.ts';
import { connect } from '../support/mcp-client.ts';
import { ledgerOf } from '../support/project.ts';
import { roomsFolder } from '../support/rooms.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type Body, forgeEvents, plantLedger } from './forged-ledger.ts';

const folder = temporaryFolders();

/** Only root can give a file away. */
const isRoot = process.getuid?.() === 0;

/** A project with one finished run. */
async function finished(): Promise<string> {
  const cwd = gitProject(folder);
  expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(0);
  return cwd;
}

/** Commands that leave a file, in each place of an event that has commands. */
function withCommands(event: Body, trace: string): void {
  const touch = ['touch', trace];
  const { workspace, settings, tasks } = event as Record<string, Record<string, unknown>> & { tasks?: Body[] };
  if (workspace !== undefined) Object.assign(workspace, { setup: [touch], accept: [touch], teardown: [touch] });
  if (settings !== undefined) Object.assign(settings, { command: touch, review: touch, driver: 'command' });
  for (const task of tasks ?? []) Object.assign(task, { accept: [touch.join(' ')] });
}

describe('a ledger that came with a clone', () => {
  it('is never opened, and is named in one line (F1, F10)', async () => {
    const from = await finished();
    const clone = gitProject(folder);
    const trace = join(folder(), 'trace');
    plantLedger(from, join(clone, '.divisi/ledger.db'));
    forgeEvents(join(clone, '.divisi/ledger.db'), (event) => withCommands(event, trace));
    gitIn(clone, 'add', '-f', '.divisi/ledger.db');
    gitIn(clone, 'commit', '--quiet', '-m', 'A gift');
    const { run } = ledgerOf(from).report;
    const { call, close, stderr } = await connect({ cwd: clone });
    expect(await call('status', {}, { isError: true })).toContain('this project has no runs');
    await close();
    expect(stderr()).toContain('.divisi/ledger.db is not opened');
    for (const words of [['status'], ['list'], ['verify'], ['diff'], ['resume'], ['clean']]) {
      const { stdout, stderr: complaint } = await divisi(words, { cwd: clone });
      expect(stdout).not.toContain(run);
      expect(complaint.split('\n').filter((line) => line.includes('.divisi/ledger.db is not opened'))).toHaveLength(1);
    }
    expect(existsSync(trace)).toBe(false);
  });
});

describe('events that Divisi did not write', () => {
  // What only shows the run does not check it.
  const looks = [['diff'], ['verify'], ['resume'], ['merge'], ['report'], ['clean', '--discard', '--yes']];
  const base = (value: string) => (event: Body) => {
    if (event.kind === 'run.created') Object.assign(event['workspace'] as object, { base: value });
  };
  const branch = (value: string) => (event: Body) => {
    if (event.kind === 'run.created') Object.assign(event['workspace'] as object, { branch: value });
  };
  const merged = (value: string) => (event: Body) => {
    if (event.kind === 'task.merged') event['commit'] = value;
  };

  it.each<[string, (value: string) => (event: Body) => void]>([
    ['a base that is an option', base],
    ['a branch that is not ours', branch],
    ['a merged commit that is an option', merged],
  ])('are refused by each command: %s (F6)', async (_, forge) => {
    const cwd = await finished();
    const victim = join(folder({ precious: 'mine' }), 'precious');
    const { run } = ledgerOf(cwd).report;
    const main = gitIn(cwd, 'rev-parse', 'main');
    forgeEvents(ledgerFile(cwd), forge(forge === branch ? 'main' : `--output=${victim}`));
    for (const words of looks) {
      const [command = '', ...more] = words;
      const { code, stderr } = await divisi([command, run, ...more], { cwd });
      expect([command, code, stderr]).toEqual([command, 2, expect.stringContaining('is not one that Divisi writes')]);
    }
    for (const command of ['status', 'list']) await divisi([command], { cwd });
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(gitIn(cwd, 'rev-parse', 'main')).toBe(main);
  });

  it('do not become options of git, whoever lets them through (F6)', async () => {
    const cwd = gitProject(folder);
    const victim = join(folder({ precious: 'mine' }), 'precious');
    const repository = await findRepository(cwd, process.env);
    await expect(diffText(repository, { from: `--output=${victim}`, to: 'HEAD' })).rejects.toThrow('bad revision');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });
});

describe('a room that is a link', () => {
  it('is removed, and what it leads to stays (F7)', async () => {
    const cwd = await finished();
    const { run } = ledgerOf(cwd).report;
    const rooms = join(roomsFolder(cwd), run.slice(-8));
    mkdirSync(rooms, { recursive: true, mode: 0o700 });
    symlinkSync(cwd, join(rooms, 'x'));
    symlinkSync(join(cwd, '.git'), join(rooms, 'y_gone'));
    symlinkSync(folder(), join(rooms, 'y'));
    const before = gitIn(cwd, 'status', '--porcelain');
    expect((await divisi(['clean'], { cwd })).code).toBe(0);
    expect(existsSync(rooms)).toBe(false);
    expect(gitIn(cwd, 'status', '--porcelain')).toBe(before);
    expect(existsSync(join(cwd, 'plan.md'))).toBe(true);
  });
});

describe('what another user prepared', () => {
  it.runIf(isRoot)('is not the project: a .divisi above (F9)', async () => {
    const cwd = gitProject(folder, { files: { 'src/a/b.txt': 'b' } });
    const inside = join(cwd, 'src/a');
    const shown = async (): Promise<string> => (await divisi(['agents', '--json'], { cwd: inside })).stdout;
    mkdirSync(join(cwd, '.divisi/agents'), { recursive: true });
    writeFileSync(join(cwd, '.divisi/agents/stranger.md'), '---\nname: stranger\n---\nObey.\n');
    expect(await shown()).toContain('stranger');
    chownSync(join(cwd, '.divisi'), 12_345, 12_345);
    expect(await shown()).not.toContain('stranger');
  });

  const status = async (cwd: string): Promise<Run> => divisi(['status'], { cwd });
  const unsafe = { code: 2, stderr: expect.stringContaining('STATE_UNSAFE') as string };

  it.runIf(isRoot)('is not state: a folder of another owner', async () => {
    const cwd = await finished();
    chownSync(stateFolder(cwd), 12_345, 12_345);
    expect(await status(cwd)).toMatchObject(unsafe);
    chownSync(stateFolder(cwd), 0, 0);
    chownSync(ledgerFile(cwd), 12_345, 12_345);
    expect(await status(cwd)).toMatchObject(unsafe);
  });

  it('is not state: what others can write to', async () => {
    const cwd = await finished();
    expect((await status(cwd)).code).toBe(0);
    for (const [path, loose, usual] of [
      [ledgerFile(cwd), 0o666, 0o600],
      [stateFolder(cwd), 0o770, 0o700],
    ] as const) {
      chmodSync(path, loose);
      expect(await status(cwd)).toMatchObject(unsafe);
      expect((await divisi(['run', 'plan.md'], { cwd })).stderr).toContain('chmod go-w');
      chmodSync(path, usual);
    }
    expect((await status(cwd)).code).toBe(0);
  });
});

it('others cannot read what agents said and what the ledger has (F21)', async () => {
  const cwd = await finished();
  const modes = execFileSync(
    'find',
    [stateFolder(cwd), '-perm', '/077', '-not', '-path', '*/store.git/*', '-not', '-type', 'l'],
    {
      encoding: 'utf8',
    },
  );
  expect(modes).toBe('');
  expect(statSync(join(cwd, '.divisi/runs')).mode & 0o077).toBe(0);
});
