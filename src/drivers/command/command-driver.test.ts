import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driverTask } from '../../../tests/conformance/driver-task.ts';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { limits } from '../../contracts/field.ts';
import { processStat } from '../../process/process-stat.ts';
import type { Conversation, DriverTask, Turn } from '../driver.ts';
import { commandDriver } from './command-driver.ts';
import type { CommandOptions } from './command-turn.ts';

const folder = temporaryFolders();

interface Started extends Conversation {
  readonly task: DriverTask;
  readonly cancel: () => void;
}

/** Runs this source as the agent; with `repair`, as its repair, too. */
function start(source: string, own: Partial<CommandOptions> = {}, task: Partial<DriverTask> = {}): Started {
  const root = folder({ 'agent.mjs': source, 'project/a.txt': 'a' });
  const argv = [process.execPath, join(root, 'agent.mjs')];
  const driver = commandDriver({
    name: 'agent',
    argv,
    environment: [],
    own: process.env,
    project: '/a/project',
    ...own,
  });
  const given = driverTask(join(root, 'project'), task);
  const cancel = new AbortController();
  const { first, repair, close } = driver.start(given, cancel.signal, () => {});
  return { first, repair, close, task: given, cancel: () => cancel.abort() };
}

function text(turn: Turn | null): string {
  if (turn?.end !== 'returned') throw new Error(`it did not return: ${JSON.stringify(turn)}`);
  return turn.text;
}

const echo = `
import { readFileSync } from 'node:fs';
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !['PATH', 'HOME'].includes(name)));
console.log(JSON.stringify({ env, cwd: process.cwd(), input: readFileSync(0, 'utf8'), args: process.argv.slice(2) }));
`;

describe('what a command gets', () => {
  it('gets the prompt on its standard input, in the directory of the task', async () => {
    const prompt = 'Do it.\n'.repeat(50_000);
    const agent = start(echo, {}, { prompt });
    expect(JSON.parse(text(await agent.first))).toMatchObject({ cwd: agent.task.directory, input: prompt, args: [] });
    await agent.close();
  });

  it('gets its task in the environment, and of the environment of the user only what is allowed', async () => {
    const own = {
      PATH: process.env['PATH'],
      SECRET: 's',
      MY_KEY: 'k',
      MY_OTHER: 'o',
      OPEN: 'p',
      DIVISI_TASK: 'mine',
      XDG_STATE_HOME: '/a/state',
    };
    const agent = start(echo, { own, environment: ['MY_*', 'OPEN', 'DIVISI_*'] });
    const { task } = agent;
    const { env } = JSON.parse(text(await agent.first)) as { env: Record<string, string> };
    expect(env).toEqual({
      MY_KEY: 'k',
      MY_OTHER: 'o',
      OPEN: 'p',
      GIT_LFS_SKIP_SMUDGE: '1',
      DIVISI_TASK: '1.1',
      DIVISI_RUN: task.run,
      DIVISI_DELEGATION: task.delegation,
      DIVISI_ATTEMPT: '1',
      DIVISI_AGENT: 'worker',
      DIVISI_TIER: 'standard',
      DIVISI_PROMPT_FILE: `${task.outputFile}.prompt`,
      DIVISI_REPORT_PATH: task.reportPath,
      DIVISI_WORKLOG_PATH: task.worklogPath,
      DIVISI_USAGE_FILE: `${task.outputFile}.usage/usage.json`,
      DIVISI_PROJECT: '/a/project',
      DIVISI_STATE: '/a/state/divisi',
    });
    expect(readFileSync(`${task.outputFile}.prompt`, 'utf8')).toBe(task.prompt);
    await agent.close();
  });

  it('gets the message and the refused return when it is asked again', async () => {
    const root = folder({ 'repair.mjs': echo });
    const agent = start('console.log("bad")', { repair: [process.execPath, join(root, 'repair.mjs'), '--repair'] });
    await agent.first;
    const once = JSON.parse(text(await agent.repair('no status')));
    expect(once).toMatchObject({
      input: 'no status',
      args: ['--repair'],
      env: {
        DIVISI_REPAIR: '1',
        DIVISI_RETURN_FILE: agent.task.outputFile,
        DIVISI_USAGE_FILE: `${agent.task.outputFile}.repair-1.usage/usage.json`,
        DIVISI_TASK: '1.1',
      },
    });
    const twice = JSON.parse(text(await agent.repair('still none')));
    const refused = `${agent.task.outputFile}.repair-1`;
    expect(twice).toMatchObject({ input: 'still none', env: { DIVISI_REPAIR: '2', DIVISI_RETURN_FILE: refused } });
    expect(JSON.parse(readFileSync(refused, 'utf8'))).toEqual(once);
    await agent.close();
  });

  it.each([
    [true, 'reviewed\n'],
    [false, 'worked\n'],
  ])('is another one for a review: %s', async (isReview, words) => {
    const review = [process.execPath, '-p', '"reviewed"'];
    const agent = start('console.log("worked")', { review }, { isReview });
    expect(text(await agent.first)).toBe(words);
    expect(agent.repair('again')).toBeNull();
    await agent.close();
  });

  it('is the same for a review when there is no other', async () => {
    const agent = start('console.log("worked")', {}, { isReview: true });
    expect(text(await agent.first)).toBe('worked\n');
    await agent.close();
  });

  it('is repaired by the same command, a review or not', async () => {
    const [review, repair] = ['reviewed', 'repaired'].map((word) => [process.execPath, '-p', JSON.stringify(word)]);
    const agent = start('', { review: review ?? [], repair: repair ?? [] }, { isReview: true });
    expect(text(await agent.first)).toBe('reviewed\n');
    expect(text(await agent.repair('again'))).toBe('repaired\n');
    await agent.close();
  });

  it('is not run by a shell', async () => {
    const agent = start('', { argv: [process.execPath, '-p', 'process.argv[1]', '$(touch a); `touch b`; ~'] });
    expect(text(await agent.first)).toBe('$(touch a); `touch b`; ~\n');
    await agent.close();
  });

  it('may leave its input unread', async () => {
    const agent = start('console.log("done")', {}, { prompt: 'x'.repeat(1_000_000) });
    expect(text(await agent.first)).toBe('done\n');
    await agent.close();
  });
});

describe('a command that fails', () => {
  it('is reported with its code and the end of its standard error, on one line and without secrets', async () => {
    const key = `ghp_${'a1'.repeat(18)}`;
    const agent = start(`console.error(${JSON.stringify(`\u001b[31mbad\u001b[0m\n\tkey ${key}`)}); process.exit(7)`);
    expect(await agent.first).toMatchObject({
      cause: 'exit',
      message: 'exit code 7: [31mbad [0m key [redacted:github]',
    });
    expect(readFileSync(`${agent.task.outputFile}.stderr`, 'utf8')).toContain(key);
    await agent.close();
  });

  it('is reported in at most 500 characters, the last ones', async () => {
    const agent = start('console.error("x ".repeat(100_000) + "the end"); process.exitCode = 1');
    const turn = await agent.first;
    const message = turn.end === 'failed' ? turn.message : '';
    expect(message).toMatch(/^exit code 1: ….* the end$/);
    expect(message).toHaveLength(500);
    await agent.close();
  });

  it('is reported with the signal that ended it', async () => {
    const agent = start('process.kill(process.pid, "SIGKILL")');
    expect(await agent.first).toMatchObject({ cause: 'signal', message: 'ended by SIGKILL' });
    await agent.close();
  });

  it.each([
    ['the program', { argv: ['no-such-program-anywhere'] }, {}, 'no-such-program-anywhere'],
    ['the directory', {}, { directory: '/no/such/folder' }, '/no/such/folder'],
    ['a place for its output', {}, { outputFile: '/dev/null/said' }, '/dev/null'],
  ])('says that %s is missing', async (_, own, task, words) => {
    const agent = start('', own, task);
    const turn = await agent.first;
    expect(turn).toMatchObject({ end: 'failed', cause: 'not-started', said: '' });
    expect(turn.end === 'failed' && turn.message).toContain(words);
    await agent.close();
  });
});

describe('a command that meets a limit', () => {
  it('says so with exit code 75, and when it may be asked again', async () => {
    const agent = start('console.error("429: retry after 2 minutes"); console.log("half"); process.exitCode = 75');
    const began = Date.now();
    const turn = await agent.first;
    const message = 'exit code 75: 429: retry after 2 minutes';
    expect(turn).toEqual({ end: 'failed', cause: 'quota', until: expect.any(Number), message, said: 'half\n' });
    const until = turn.end === 'failed' && turn.cause === 'quota' ? (turn.until ?? 0) : 0;
    expect(until).toBeGreaterThanOrEqual(began + 120_000);
    expect(until).toBeLessThanOrEqual(Date.now() + 120_000);
    await agent.close();
  });

  it('need not say when, and only its last lines count', async () => {
    const agent = start('console.error("retry after 5 s" + "\\n".repeat(5000) + "later"); process.exitCode = 75');
    const turn = await agent.first;
    expect(turn).toMatchObject({ cause: 'quota', message: 'exit code 75: retry after 5 s later' });
    expect(turn).not.toHaveProperty('until');
    await agent.close();
  });

  it('is not believed with another exit code', async () => {
    const agent = start('console.error("retry after 5 s"); process.exitCode = 1');
    expect(await agent.first).toEqual({
      end: 'failed',
      cause: 'exit',
      message: 'exit code 1: retry after 5 s',
      said: '',
    });
    await agent.close();
  });
});

describe('what a command says that it used', () => {
  const use = (then = ''): string => `
import { writeFileSync } from 'node:fs';
const { DIVISI_USAGE_FILE: file, DIVISI_REPAIR: repair = '0' } = process.env;
writeFileSync(file, JSON.stringify({ tokens: 100 + Number(repair), cost: 0.5, model: 'large' }));
${then}`;
  const usage = { tokens: 100, cost: 0.5 };

  it('belongs to one turn', async () => {
    const root = folder({ 'repair.mjs': use() });
    const agent = start(use(), { repair: [process.execPath, join(root, 'repair.mjs')] });
    expect(await agent.first).toEqual({ end: 'returned', text: '', usage });
    expect(await agent.repair('again')).toEqual({ end: 'returned', text: '', usage: { tokens: 101, cost: 0.5 } });
    await agent.close();
  });

  it.each([
    ['exit', 'process.exit(3)'],
    ['quota', 'process.exit(75)'],
    ['signal', 'process.kill(process.pid, "SIGKILL")'],
  ])('is known when it fails: %s', async (cause, end) => {
    const agent = start(use(end));
    expect(await agent.first).toMatchObject({ end: 'failed', cause, usage });
    await agent.close();
  });

  it('is known when it is cancelled', async () => {
    const agent = start(use('console.log("here"); setInterval(() => {}, 1000);'));
    await expect.poll(() => said(agent)).toBe('here\n');
    agent.cancel();
    expect(await agent.first).toEqual({ end: 'cancelled', said: 'here\n', usage });
    await agent.close();
  });

  it('is not what another turn left there', async () => {
    const root = folder({ 'said/a.out.usage': '{"tokens": 7}' });
    const agent = start('console.log("done")', {}, { outputFile: join(root, 'said', 'a.out') });
    expect(await agent.first).toEqual({ end: 'returned', text: 'done\n', exitCodeIsEnough: true });
    await agent.close();
  });
});

describe('a command that says too much', () => {
  it('is read so far that the reading refuses it', async () => {
    const agent = start(`process.stdout.write("x".repeat(${limits.input + 100}))`);
    expect(text(await agent.first)).toHaveLength(limits.input + 1);
    await agent.close();
  });

  it.each(['stdout', 'stderr'])('is stopped when its %s does not end', async (stream) => {
    const source = `import { writeSync } from 'node:fs';
for (let at = 0; at < 30; at += 1) writeSync(process.${stream}.fd, "x".repeat(100_000));
setInterval(() => {}, 1000);`;
    const agent = start(source, { mostOutput: 1024 * 1024 });
    const message = 'stopped: it wrote more than 1 MiB';
    expect(await agent.first).toMatchObject({ end: 'failed', cause: 'signal', message });
    await agent.close();
  });
});

describe('close', () => {
  it('does not wait for a command that refuses to end', async () => {
    const agent = start(`process.on('SIGTERM', () => {}); console.log('here'); setInterval(() => {}, 1000);`);
    await expect.poll(() => said(agent)).toBe('here\n');
    await agent.close();
    expect(await agent.first).toEqual({ end: 'cancelled', said: 'here\n' });
  });

  it('ends what a command has left behind when it returned', async () => {
    const source = `import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
child.unref();
console.log(child.pid);`;
    const agent = start(source);
    const pid = Number(text(await agent.first));
    expect(processStat(pid)).toMatchObject({ zombie: false });
    await agent.close();
    // A process that was killed loses its environment, by which it is found, a moment before it counts as ended.
    await expect.poll(() => processStat(pid)?.zombie ?? true).toBe(true);
  });
});

describe('recover', () => {
  it('returns the output of a command whose end was not seen', async () => {
    const root = folder({ 'said/a.out': 'it is done', 'said/b.out': '' });
    const driver = commandDriver({ name: 'a', argv: ['x'], environment: [], own: {}, project: root });
    const recovered = (outputFile: string): Promise<string | null> => driver.recover(driverTask(root, { outputFile }));
    expect(await recovered(join(root, 'said', 'a.out'))).toBe('it is done');
    expect(await recovered(join(root, 'said', 'b.out'))).toBeNull();
    expect(await recovered(join(root, 'said', 'c.out'))).toBeNull();
  });
});

function said({ task }: Started): string {
  return existsSync(task.outputFile) ? readFileSync(task.outputFile, 'utf8') : '';
}

describe('the exit code of a command', () => {
  const plain = 'console.log("done")';

  it('is enough by default, unless its agent can be asked again or a return is required', async () => {
    const repair = ['true'];
    const all: [Partial<CommandOptions>, boolean][] = [
      [{}, true],
      [{ repair }, false],
      [{ returns: 'message' }, false],
    ];
    for (const [own, isEnough] of all) {
      const agent = start(plain, own);
      const turn = await agent.first;
      expect('exitCodeIsEnough' in turn).toBe(isEnough);
      await agent.close();
    }
  });

  it('judges nothing: without a command for reviews, it refuses to review', async () => {
    const agent = start(plain, { returns: 'exit-code' }, { isReview: true });
    expect(await agent.first).toMatchObject({ end: 'failed', cause: 'environment', said: '' });
    await agent.close();
    const review = [process.execPath, '-e', 'console.log("LOW")'];
    const other = start(plain, { returns: 'exit-code', review }, { isReview: true });
    expect(text(await other.first)).toBe('LOW\n');
    await other.close();
  });
});

it('a failure is reported from the line with the cause on', async () => {
  const agent = start(`console.error('a'.repeat(600)); function f() { throw new RangeError('no price'); } f();`);
  const turn = await agent.first;
  await agent.close();
  const message = turn.end === 'failed' ? turn.message : '';
  expect(message).toMatch(/^exit code 1: RangeError: no price at f \(/);
  expect(message.length).toBeLessThanOrEqual(500);
});
