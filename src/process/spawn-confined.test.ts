import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { findConfiner } from './confine/find-confiner.ts';
import { childEnvironment } from './environment.ts';
import { allPids, readProcess } from './process-stat.ts';
import { findMarked, reap } from './reap.ts';
import { type MarkedProcess, spawnMarked, type SpawnSpec } from './spawn-marked.ts';

const folder = temporaryFolders();
const run = `run_confined_${process.pid}`;
const confiner = await findConfiner(process.env);
const program = 'program' in confiner ? confiner.program : '';
if (program === '') console.warn('SKIPPED: CONFINEMENT WAS NOT TESTED: programs cannot be confined here');

const begun: MarkedProcess[] = [];
afterEach(async () => {
  await Promise.all(begun.splice(0).map((one) => one.stop('at-once')));
  await reap(run);
});

function specOf(argv: readonly string[], more: Partial<SpawnSpec> = {}): SpawnSpec {
  const place = folder();
  return {
    argv,
    directory: place,
    environment: childEnvironment(process.env, [], {}),
    marker: { run, delegation: 'sess_1800000000_confined' },
    stdout: join(place, 'out.txt'),
    stderr: join(place, 'err.txt'),
    confinement: {
      program,
      mounts: [{ as: 'writable', path: place }],
      variables: { MINE: '1' },
      room: place,
      private: place,
      kept: place,
      nests: false,
    },
    ...more,
  };
}

function start(spec: SpawnSpec): MarkedProcess & { said: () => string } {
  const child = spawnMarked(spec);
  begun.push(child);
  return { ...child, said: () => (existsSync(spec.stdout) ? readFileSync(spec.stdout, 'utf8') : '') };
}

const sh = (script: string): string[] => ['sh', '-c', script];
const until = (look: () => void): Promise<void> => vi.waitFor(look, { timeout: 30_000, interval: 5 });
const withWord = (word: string): number[] =>
  allPids().filter((pid) => (readProcess(pid, 'cmdline') ?? '').split('\0').includes(word));

describe.skipIf(program === '')('a confined program', () => {
  it('ends with its code or its signal', async () => {
    expect(await start(specOf(sh('exit 3'))).ended).toEqual({ kind: 'exit', code: 3 });
    expect(await start(specOf(sh('kill -9 $$'))).ended).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  });

  it('has its own processes, the variables of its confinement, and the right to write where it may', async () => {
    const one = start(
      specOf(sh('echo $MINE; echo /proc/[0-9]* | wc -w; touch here; touch /etc/there 2>/dev/null; echo $?')),
    );
    expect(await one.ended).toMatchObject({ kind: 'exit' });
    const [variable, processes, refused] = one.said().split('\n');
    expect([variable, Number(processes) <= 4, refused !== '0']).toEqual(['1', true, true]);
  });

  it.each<[string, (place: string) => Partial<SpawnSpec>, RegExp]>([
    ['is not on the PATH', () => ({ argv: ['no-such-program'] }), /was not found on the PATH/],
    ['is not there', () => ({ argv: ['./gone'] }), /does not exist/],
    ['may not be executed', (place) => ({ argv: [written(place, 'plain', 'x', 0o644)] }), /may not be executed/],
    ['has no interpreter', (place) => ({ argv: [written(place, 'bad', '#!/no/such\n', 0o755)] }), /interpreter/],
    ['has no folder', () => ({ directory: '/no/such/folder' }), /does not exist/],
  ])('that %s is not started', async (_, more, why) => {
    const ended = await start(specOf(sh('exit 0'), more(folder()))).ended;
    expect(ended).toEqual({ kind: 'not-started', message: expect.stringMatching(why) as string });
  });

  it('has time to end when it is stopped gently', async () => {
    const one = start(specOf(sh(`trap 'sleep 0.3; echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done`)));
    await until(() => expect(one.said()).toContain('ready'));
    await one.stop('gently');
    expect([one.said(), await one.ended]).toEqual(['ready\nbye\n', { kind: 'exit', code: 0 }]);
  });

  it('takes along everything it started, whatever it did to hide', async () => {
    const number = `7${process.pid}01`;
    const one = start(specOf(sh(`env -i setsid sleep ${number} & sleep 0.2; echo over`)));
    await until(() => expect(withWord(number)).toHaveLength(1));
    await one.ended;
    await one.stop('at-once');
    expect(withWord(number)).toEqual([]);
  });

  it('carries its marker for those who look from outside, by the pid that it has there', async () => {
    const one = start(specOf(sh('echo ready; sleep 60')));
    await until(() => expect(one.said()).toContain('ready'));
    const found = findMarked(run, 'sess_1800000000_confined');
    expect(found.supported && found.processes.map(({ pid }) => pid)).toContain(one.pid);
    await reap(run);
    expect(await one.ended).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  });

  it('ends when its starter is killed', async () => {
    const number = `7${process.pid}02`;
    const module = JSON.stringify(new URL('spawn-marked.ts', import.meta.url).href);
    const spec = JSON.stringify(specOf(sh(`env -i setsid sleep ${number} & sleep ${number}`)));
    const script = `const { spawnMarked } = await import(${module}); spawnMarked(${spec}); setInterval(() => {}, 1000);`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    await until(() => expect(withWord(number)).toHaveLength(2));
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    await until(() => expect(withWord(number)).toEqual([]));
  });
});

function written(place: string, name: string, text: string, mode: number): string {
  const file = join(place, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}
