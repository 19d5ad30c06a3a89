import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { childEnvironment } from './environment.ts';
import { canReadProcesses, isRunning, processStat } from './process-stat.ts';
import { findMarked, reap } from './reap.ts';
import { type MarkedProcess, spawnMarked, type SpawnSpec } from './spawn-marked.ts';

const folder = temporaryFolders();
const run = `run_test_${process.pid}`;
let count = 0;
const begun: MarkedProcess[] = [];
afterEach(async () => {
  await Promise.all(begun.splice(0).map((one) => one.stop('at-once')));
  await reap(run);
});

interface Started {
  readonly process: MarkedProcess;
  readonly spec: SpawnSpec;
  readonly said: () => string;
}

function start(argv: readonly string[], more: Partial<SpawnSpec> = {}, signal?: AbortSignal): Started {
  const place = folder();
  count += 1;
  const spec: SpawnSpec = {
    argv,
    directory: place,
    environment: childEnvironment(process.env, [], {}),
    marker: { run, delegation: `sess_1800000000_${String(count).padStart(6, '0')}` },
    stdout: join(place, 'kept/out.txt'),
    stderr: join(place, 'kept/err.txt'),
    ...more,
  };
  const child = spawnMarked(spec, signal);
  begun.push(child);
  return { process: child, spec, said: () => (existsSync(spec.stdout) ? readFileSync(spec.stdout, 'utf8') : '') };
}

const node = (script: string): string[] => [process.execPath, '-e', script];
const sh = (script: string): string[] => ['sh', '-c', script];
const saying = (one: Started, words: RegExp): Promise<void> =>
  vi.waitFor(() => expect(one.said()).toMatch(words), { timeout: 30_000, interval: 5 });

function marked({ spec }: Started): number[] {
  const found = findMarked(spec.marker.run, spec.marker.delegation);
  return found.supported ? found.processes.map(({ pid }) => pid) : [];
}

describe('a program', () => {
  it('ends with its code, and its output is kept, added to what was there', async () => {
    const first = start(sh('echo out; echo err >&2; exit 3'));
    expect(await first.process.ended).toEqual({ kind: 'exit', code: 3 });
    expect([first.said(), readFileSync(first.spec.stderr, 'utf8')]).toEqual(['out\n', 'err\n']);
    const both = start(sh('echo more; echo and more >&2'), { stdout: first.spec.stdout, stderr: first.spec.stdout });
    expect(await both.process.ended).toEqual({ kind: 'exit', code: 0 });
    expect(first.said()).toBe('out\nmore\nand more\n');
  });

  it('says which signal ended it', async () => {
    expect(await start(sh('kill -9 $$')).process.ended).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  });

  it('reads its input, however long, or does not', async () => {
    const input = `${'🎻 line\n'.repeat(100_000)}end`;
    const reader = start(node('process.stdin.pipe(process.stdout)'), { input });
    expect(await reader.process.ended).toEqual({ kind: 'exit', code: 0 });
    expect(reader.said() === input).toBe(true);
    expect(await start(sh('exec <&-; exit 0'), { input }).process.ended).toEqual({ kind: 'exit', code: 0 });
    const without = start(sh('cat; echo done'));
    expect(await without.process.ended).toEqual({ kind: 'exit', code: 0 });
    expect(without.said()).toBe('done\n');
  });

  it('gets its arguments as they are', async () => {
    const odd = ['$HOME', '`id`', '; exit 9', '"', "'", '*', 'a b', '', '\n'];
    const one = start([process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...odd]);
    expect(await one.process.ended).toEqual({ kind: 'exit', code: 0 });
    expect(JSON.parse(one.said())).toEqual(odd);
  });

  it('sees no secret of ours, and the marker', async () => {
    vi.stubEnv('ACME_API_KEY', 'very-secret');
    const one = start(sh('env'), { environment: childEnvironment(process.env, [], { EXTRA: 'yes' }) });
    await one.process.ended;
    vi.unstubAllEnvs();
    const lines = one.said().split('\n');
    expect(one.said()).not.toContain('very-secret');
    expect(lines).toContain('EXTRA=yes');
    expect(lines).toContain(`DIVISI_RUN=${run}`);
    expect(lines).toContain(`DIVISI_DELEGATION=${one.spec.marker.delegation}`);
  });

  it.skipIf(!canReadProcesses)('leads a group of its own and can be known again', async () => {
    const one = start(sh('sleep 30'));
    const pid = one.process.pid ?? 0;
    expect(processStat(pid)).toMatchObject({ group: pid, started: one.process.started, zombie: false });
    expect(processStat(process.pid)?.group).not.toBe(pid);
    await one.process.stop('at-once');
    expect(await one.process.ended).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  });
});

describe.skipIf(!canReadProcesses)('a program whose starter is killed', () => {
  it('continues: its input is whole, its output is kept, and its marker is found', async () => {
    const place = folder();
    const spec: SpawnSpec = {
      argv: sh('echo up; sleep 0.3; wc -c; echo still here; exec sleep 60'),
      directory: place,
      environment: childEnvironment(process.env, [], {}),
      marker: { run, delegation: 'sess_1800000000_killed' },
      stdout: join(place, 'out.txt'),
      stderr: join(place, 'err.txt'),
    };
    const module = JSON.stringify(new URL('spawn-marked.ts', import.meta.url).href);
    const script = `import { spawnMarked } from ${module};
      spawnMarked({ ...${JSON.stringify(spec)}, input: 'x'.repeat(1_000_000) })`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    const said = (): string => (existsSync(spec.stdout) ? readFileSync(spec.stdout, 'utf8') : '');
    await vi.waitFor(() => expect(said()).toContain('up'), { timeout: 30_000, interval: 5 });
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    await vi.waitFor(() => expect(said()).toMatch(/1000000\nstill here/), { timeout: 30_000, interval: 5 });
    expect(await reap(run)).toEqual({ supported: true, killed: [expect.any(Number)], left: [] });
  });
});

describe('a program that cannot be started', () => {
  it.each<[string, (place: string) => Partial<SpawnSpec>, RegExp]>([
    [
      'is not on the PATH',
      () => ({ argv: ['no-such-program-here'] }),
      /no-such-program-here was not found on the PATH/,
    ],
    ['is not there', () => ({ argv: ['./missing'] }), /\.\/missing does not exist/],
    ['may not be executed', (place) => ({ argv: [join(place, 'plain.txt')] }), /may not be executed/],
    [
      'has no interpreter',
      (place) => ({ argv: [join(place, 'script')] }),
      /script does not exist, or its interpreter does not/,
    ],
    ['has no folder', (place) => ({ directory: join(place, 'nowhere') }), /working directory .*nowhere does not exist/],
    [
      'has a file for a folder',
      (place) => ({ directory: join(place, 'plain.txt') }),
      /working directory .*plain.txt is not a folder/,
    ],
    ['has no name', () => ({ argv: [] }), /no program given/],
    ['has an impossible argument', () => ({ argv: ['sh', 'a\0b'] }), /sh could not be started/],
    ['has an argument that is too long', () => ({ argv: ['sh', '-c', ':', 'x'.repeat(4_000_000)] }), /too long/],
    ['cannot write', (place) => ({ stdout: join(place, 'plain.txt/out') }), /plain.txt.* cannot be used/],
  ])('because it %s', async (_why, more, words) => {
    const place = folder({ 'plain.txt': 'text', script: '#!/no/such/interpreter\n' });
    chmodSync(join(place, 'script'), 0o755);
    const { process: child } = start(['sh', '-c', 'exit 0'], more(place));
    expect(await child.ended).toEqual({ kind: 'not-started', message: expect.stringMatching(words) });
    expect(child.pid).toBeUndefined();
    await child.stop('gently');
  });

  it('because it was cancelled before', async () => {
    const one = start(sh('echo no'), {}, AbortSignal.abort());
    expect((await one.process.ended).kind).toBe('not-started');
    expect(one.said()).toBe('');
  });
});

describe('stopping', () => {
  it('lets a program end by itself', async () => {
    const one = start(
      node(
        `process.on('SIGTERM', () => { console.log('bye'); process.exit(0) }); setInterval(() => {}, 1000); console.log('up')`,
      ),
      { grace: 600_000 },
    );
    await saying(one, /up/);
    await one.process.stop('gently');
    expect(await one.process.ended).toEqual({ kind: 'exit', code: 0 });
    expect(one.said()).toContain('bye');
  });

  it('ends one that will not, after the grace', async () => {
    const one = start(sh(`trap '' TERM; echo up; while :; do sleep 0.05; done`), { grace: 200 });
    await saying(one, /up/);
    const begin = performance.now();
    await one.process.stop('gently');
    expect(performance.now() - begin).toBeGreaterThanOrEqual(195);
    expect(await one.process.ended).toEqual({ kind: 'signal', signal: 'SIGKILL' });
    expect(marked(one)).toEqual([]);
  });

  it('at once overtakes a gentle one', async () => {
    const one = start(sh(`trap '' TERM; echo up; while :; do sleep 0.05; done`), { grace: 600_000 });
    await saying(one, /up/);
    const gentle = one.process.stop('gently');
    await sleep(30);
    await one.process.stop('at-once');
    await gentle;
    expect(await one.process.ended).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  });

  it('follows an aborted signal', async () => {
    const abort = new AbortController();
    const one = start(sh('echo up; exec sleep 60'), {}, abort.signal);
    await saying(one, /up/);
    abort.abort();
    expect(await one.process.ended).toEqual({ kind: 'signal', signal: 'SIGTERM' });
  });

  it.skipIf(!canReadProcesses)('takes along what left the group and the session', async () => {
    const one = start(
      sh(`(setsid sh -c 'trap "" TERM; setsid sleep 60 & echo deep; sleep 60' &); sleep 60 & echo up; wait`),
      {
        grace: 100,
      },
    );
    await saying(one, /up[^]*deep|deep[^]*up/);
    await vi.waitFor(() => expect(marked(one).length).toBeGreaterThanOrEqual(5), { timeout: 30_000, interval: 5 });
    await one.process.stop('gently');
    expect(marked(one)).toEqual([]);
  });

  it.skipIf(!canReadProcesses)('takes along what a program left behind when it ended', async () => {
    const one = start(sh('sleep 60 & setsid sleep 60 & echo left'));
    expect(await one.process.ended).toEqual({ kind: 'exit', code: 0 });
    await vi.waitFor(() => expect(marked(one)).toHaveLength(2), { timeout: 30_000, interval: 5 });
    await one.process.stop('gently');
    expect(marked(one)).toEqual([]);
  });

  it.skipIf(!canReadProcesses)('takes along what cleaned its environment but stayed in the group', async () => {
    const one = start(sh('env -i sleep 61 & echo $!; wait'));
    await saying(one, /\d+\n/);
    const pid = Number(one.said());
    const bare = { pid, started: processStat(pid)?.started ?? '' };
    expect(isRunning(bare)).toBe(true);
    await one.process.stop('at-once');
    expect(isRunning(bare)).toBe(false);
  });

  it('of one delegation leaves the others alone', async () => {
    const [one, other] = [start(sh('sleep 60')), start(sh('sleep 60'))];
    await one.process.stop('at-once');
    await one.process.stop('gently');
    expect(processStat(other.process.pid ?? 0)?.zombie ?? !canReadProcesses).toBe(!canReadProcesses);
    await other.process.stop('at-once');
    await other.process.ended;
  });
});
