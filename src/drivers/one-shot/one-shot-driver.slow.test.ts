import { spawn } from 'node:child_process';
import type { OneShotOptions } from './one-shot-options.ts';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { driverTask } from '../../../tests/conformance/driver-task.ts';
import { plainOneShot } from '../../../tests/support/plain-one-shot.ts';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import { processStat } from '../../process/process-stat.ts';
import type { Conversation, Driver, DriverNote, DriverTask } from '../driver.ts';
import type { OneShot } from './one-shot.ts';
import { oneShotDriver } from './one-shot-driver.ts';

const folder = temporaryFolders();

interface Started extends Conversation {
  readonly task: DriverTask;
  readonly driver: Driver;
  readonly notes: DriverNote[];
  readonly cancel: () => void;
}

interface Own {
  readonly settings?: Partial<OneShotOptions>;
  readonly oneShot?: Partial<OneShot>;
  readonly task?: Partial<DriverTask>;
}

/** Runs this source as the program; `tell` prints a line of what it tells, `input` is what it was given. */
function start(source: string, own: Own = {}): Started {
  const root = folder({ 'program.mjs': `${prelude}${source}`, 'project/a.txt': 'a' });
  const driver = oneShotDriver({
    name: 'plain',
    profile: {
      name: 'plain',
      folders: [],
      failures: [{ match: /limit/, cause: 'quota' }],
      oneShot: { ...plainOneShot, ...own.oneShot },
    },
    program: [process.execPath, join(root, 'program.mjs')],
    environment: [],
    variables: {},
    tiers: { fast: {}, standard: { model: 'm1', effort: 'high' }, deep: {} },
    own: { PATH: process.env['PATH'] },
    project: root,
    ...own.settings,
  });
  const task = driverTask(join(root, 'project'), own.task);
  const cancel = new AbortController();
  const notes: DriverNote[] = [];
  const conversation = driver.start(task, cancel.signal, (note) => notes.push(note));
  return { ...conversation, task, driver, notes, cancel: () => cancel.abort() };
}

const prelude = `import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const input = readFileSync(0, 'utf8');
const args = process.argv.slice(2);
const tell = (...entries) => writeSync(1, JSON.stringify({ entries }) + '\\n');
const say = (text) => ({ kind: 'said', text, piece: true });
const back = (text) => ({ kind: 'returned', text });
const error = (text) => ({ kind: 'error', text });
const used = (tokens) => ({ kind: 'usage', text: '', usage: { tokens } });
const id = (id) => ({ kind: 'conversation', id });
`;

async function ended(source: string, own: Own = {}): Promise<unknown> {
  const agent = start(source, own);
  const turn = await agent.first;
  await agent.close();
  return turn;
}

describe('what a program gets', () => {
  it('gets the prompt on its standard input and nowhere else, in the directory of the task', async () => {
    const prompt = 'Do it.\n'.repeat(50_000);
    const agent = start(
      `tell(back(JSON.stringify({ same: input.length, cwd: process.cwd(), args, long: args.some((one) => one.length > 1000) })))`,
      { task: { prompt } },
    );
    const turn = await agent.first;
    expect(JSON.parse('text' in turn ? turn.text : '')).toEqual({
      same: prompt.length,
      cwd: agent.task.directory,
      args: ['m1', 'high', 'new', 'work', `${agent.task.outputFile}.files/note.txt`],
      long: false,
    });
    await agent.close();
  });

  it('finds the files that it is to read, which are gone afterwards', async () => {
    const agent = start(`tell(back(readFileSync(args[4], 'utf8')))`);
    expect(await agent.first).toMatchObject({ end: 'returned', text: 'to be read' });
    expect(existsSync(`${agent.task.outputFile}.files`)).toBe(false);
    await agent.close();
  });

  it('learns that it reviews', async () => {
    expect(await ended('tell(back(args[3]))', { task: { isReview: true } })).toMatchObject({ text: 'review' });
  });

  it('gets of the environment only what is allowed, and what the call adds', async () => {
    const own = { PATH: process.env['PATH'], SECRET: 's', MY_KEY: 'k', HOME: '/home/a', XDG_DATA_HOME: '/home/a/data' };
    const source = `const { PATH, ...env } = process.env; tell(back(JSON.stringify(env)))`;
    const environment = ['MY_*', 'XDG_*'];
    const task = { variables: { DIVISI_SLUG: 'shop-1-1' } };
    const agent = start(source, { task, settings: { own, environment, variables: { MORE: '1', CALL: 'no' } } });
    const turn = await agent.first;
    expect(JSON.parse('text' in turn ? turn.text : '')).toEqual({
      MY_KEY: 'k',
      HOME: '/home/a',
      XDG_DATA_HOME: '/home/a/data',
      MORE: '1',
      CALL: 'on top of no',
      DIVISI_RUN: agent.task.run,
      DIVISI_DELEGATION: agent.task.delegation,
      DIVISI_STATE: '/home/a/.local/state/divisi',
      DIVISI_SLUG: 'shop-1-1',
      GIT_LFS_SKIP_SMUDGE: '1',
    });
    await agent.close();
  });

  it('has nothing that leads to the home of the user when it has its own', async () => {
    const own = {
      PATH: process.env['PATH'],
      HOME: '/home/a',
      XDG_DATA_HOME: '/home/a/data',
      CODEX_HOME: '/home/a/codex',
      JAVA_HOME: '/java',
    };
    const source = `const { HOME, XDG_DATA_HOME, CODEX_HOME } = process.env; tell(back(JSON.stringify({ HOME, XDG_DATA_HOME, CODEX_HOME })))`;
    const settings = { own, environment: ['XDG_*', 'CODEX_*'], home: '/its/own' };
    expect(await ended(source, { settings })).toMatchObject({ text: '{"HOME":"/its/own"}' });
  });

  it('makes no folders through a link that leads out', async () => {
    const outside = folder();
    const root = folder({ 'project/a.txt': 'a' });
    symlinkSync(outside, join(root, 'project', 'linked'));
    const call: OneShot['call'] = (turn) => ({ ...plainOneShot.call(turn), folders: ['linked/deep', 'own/deep'] });
    await ended('tell(back("x"))', { oneShot: { call }, task: { directory: join(root, 'project') } });
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(root, 'project', 'own', 'deep'))).toBe(true);
  });
});

describe('how a turn ends', () => {
  it('has not returned because it ended well', async () => {
    expect(await ended('tell(say("all is done"))')).toEqual({
      end: 'failed',
      cause: 'exit',
      message: 'it ended without reporting a result',
      said: 'all is done',
    });
  });

  it.each([
    [
      'an error before it returned is none',
      'tell(error("limit")); tell(back("done"))',
      { end: 'returned', text: 'done' },
    ],
    ['an error after it takes it back', 'tell(back("done")); tell(error("limit"))', { end: 'failed', cause: 'quota' }],
    ['the last return counts', 'tell(back("a"), back("b"))', { end: 'returned', text: 'b' }],
    ['an exit code', 'tell(back("done")); process.exit(3)', { end: 'failed', cause: 'exit', message: 'exit code 3' }],
    ['an error without a row', 'tell(error("bad")); process.exit(1)', { end: 'failed', cause: 'exit', message: 'bad' }],
    ['an error with exit code 0', 'tell(error("bad"))', { end: 'failed', cause: 'exit', message: 'bad' }],
    [
      'its standard error',
      'console.error("a limit"); process.exit(1)',
      { cause: 'quota', message: 'exit code 1: a limit' },
    ],
    ['not what it said', 'tell(say("a limit")); process.exit(1)', { cause: 'exit', message: 'exit code 1' }],
    ['no reason after a good end', 'console.error("a limit")', { cause: 'exit' }],
    [
      'not what it got over',
      'console.error("a limit"); await sleep(600); tell(say("x")); await sleep(300); console.error("TypeError"); process.exit(1)',
      { cause: 'exit', message: 'exit code 1: a limit TypeError' },
    ],
    [
      'what it did not get over',
      'tell(say("x")); await sleep(400); console.error("a limit"); await sleep(300); tell({ kind: "waits", text: "it" }); tell(say("y")); console.error("a limit"); process.exit(1)',
      { cause: 'quota' },
    ],
    [
      'what came with its last words',
      'await sleep(300); tell(say("x")); console.error("a limit"); process.exit(1)',
      { cause: 'quota' },
    ],
    [
      'while it waited',
      'tell({ kind: "waits", text: "the limit" }); process.kill(process.pid, "SIGKILL")',
      { cause: 'quota', message: 'ended by SIGKILL while it waited: the limit' },
    ],
    [
      'after it had waited',
      'tell({ kind: "waits", text: "limit" }); tell(say("x")); process.exit(1)',
      { cause: 'exit' },
    ],
  ])('%s', async (_, source, turn) => {
    expect(await ended(source)).toMatchObject(turn);
  });

  it('is reported without secrets, on one line', async () => {
    const key = `ghp_${'a1'.repeat(18)}`;
    expect(await ended(`tell(error("bad\\nkey ${key}"))`)).toMatchObject({ message: 'bad key [redacted:github]' });
  });

  it('reads lines that come in pieces, that are huge, that are no JSON, and one that has no end', async () => {
    const source = `
writeSync(1, '{"entries":[{"kind":"said","te'); await sleep(250); writeSync(1, 'xt":"ü"}]}\\nno\\n\\n{}\\n[1]\\nnull\\n"x"\\n' + '['.repeat(100_000) + '\\n');
tell(say('b'.repeat(2_000_000)));
writeSync(1, JSON.stringify({ entries: [back('done')] }));`;
    expect(await ended(source)).toEqual({ end: 'returned', text: 'done' });
  });

  it('is stopped when it does not end its output', async () => {
    const source = `for (;;) { writeSync(1, 'x'.repeat(100_000)); await sleep(5); }`;
    expect(await ended(source, { settings: { mostOutput: 1024 * 1024 } })).toMatchObject({
      end: 'failed',
      cause: 'signal',
      message: 'stopped: it wrote more than 1 MiB',
    });
  });

  it('says what was refused', async () => {
    const agent = start(`tell({ kind: 'refused', asked: 'Write\\n', why: 'y'.repeat(900) }, back('x'))`);
    await agent.first;
    const why = `${'y'.repeat(199)}…`;
    expect(agent.notes.slice(1)).toEqual([{ kind: 'permission', asked: 'Write', granted: false, why }]);
    await agent.close();
  });

  it('says of a refusal no secret, not even a part of one', async () => {
    const key = `ghp_${'a1'.repeat(18)}`;
    const agent = start(
      `tell({ kind: 'refused', asked: 'curl ${key}', why: 'y'.repeat(180) + ' password=${key}' }, back('x'))`,
    );
    await agent.first;
    await agent.close();
    expect(agent.notes.slice(1)).toMatchObject([{ kind: 'permission', asked: 'curl [redacted:github]' }]);
    expect(JSON.stringify(agent.notes)).not.toContain('ghp_');
  });

  it('counts the refusals of a turn after the first of them', async () => {
    const agent = start(
      `for (let i = 0; i < 70; i += 1) tell({ kind: 'refused', asked: 'Write ' + i, why: 'no' }); tell(id('c1'), back('x'));`,
    );
    await agent.first;
    const all = (): string[] => agent.notes.flatMap((note) => (note.kind === 'permission' ? [note.asked] : []));
    const first = Array.from({ length: 50 }, (_, index) => `Write ${index}`);
    expect(all()).toEqual([...first, '20 more']);
    await agent.repair('fix it');
    expect(all()).toEqual([...first, '20 more', ...first, '20 more']);
    await agent.close();
  });
});

describe('a conversation', () => {
  const answers = `tell(id('c1')); tell(used(args[2] === 'new' ? 100 : 130), back(args[2] + ': ' + input));`;

  it('is continued to repair a return, all in one transcript', async () => {
    const agent = start(answers, { task: { prompt: 'p' } });
    expect(await agent.first).toEqual({ end: 'returned', text: 'new: p', usage: { tokens: 100 } });
    expect(await agent.repair('fix it')).toEqual({ end: 'returned', text: 'c1: fix it', usage: { tokens: 130 } });
    expect(agent.notes.filter(({ kind }) => kind === 'conversation')).toEqual([
      { kind: 'conversation', driver: 'plain', id: 'c1' },
    ]);
    const transcript = readFileSync(`${agent.task.transcript}.plain.jsonl`, 'utf8');
    expect(transcript.split('\n').filter((line) => line.includes('returned'))).toHaveLength(2);
    await agent.close();
  });

  it('is the first that a turn names, and none that could be an option', async () => {
    const source = `tell(id('--yolo'), id('a b'), id('c1')); for (let i = 0; i < 50; i += 1) tell(id('other' + i)); tell(back(args[2]));`;
    const agent = start(source);
    await agent.first;
    expect(agent.notes.filter(({ kind }) => kind === 'conversation')).toEqual([
      { kind: 'conversation', driver: 'plain', id: 'c1' },
    ]);
    expect(await agent.repair('fix it')).toMatchObject({ text: 'c1' });
    await agent.close();
    const resumes = { driver: 'plain', id: '--yolo', isHere: true };
    expect(await ended(source, { task: { resumes } })).toMatchObject({ text: 'new' });
  });

  it('has turns of their own usage where the program counts all of them', async () => {
    const agent = start(answers, { oneShot: { countsConversation: true } });
    expect(await agent.first).toMatchObject({ usage: { tokens: 100 } });
    expect(await agent.repair('fix it')).toMatchObject({ usage: { tokens: 30 } });
    await agent.close();
    const resumes = { driver: 'plain', id: 'c1', isHere: false };
    const other = start(answers, { oneShot: { countsConversation: true }, task: { resumes } });
    expect(await other.first).not.toHaveProperty('usage');
    await other.close();
  });

  it.each([
    ['plain', 'c7: Do it.\n'],
    ['another', 'new: Do it.\n'],
  ])('of the previous attempt is continued if it was this driver’s: %s', async (driver, text) => {
    const resumes = { driver, id: 'c7', isHere: false };
    expect(await ended(answers, { task: { resumes } })).toMatchObject({ end: 'returned', text });
  });

  it.each([
    [true, 'c7: Do it.\n'],
    [false, 'new: Do it.\n'],
  ])('of a program that finds only those of its folder is continued there: %s', async (isHere, text) => {
    const own = { oneShot: { resumesElsewhere: false }, task: { resumes: { driver: 'plain', id: 'c7', isHere } } };
    expect(await ended(answers, own)).toMatchObject({ end: 'returned', text });
  });

  it.each([
    ['as an error', 'tell(error("never heard of it")); process.exit(1);'],
    ['on its standard error', 'console.error("never heard of it"); process.exit(1);'],
  ])('that the program has forgotten is begun afresh: %s', async (_, words) => {
    const source = `if (args[2] === 'c7') { ${words} } ${answers}`;
    const agent = start(source, { task: { resumes: { driver: 'plain', id: 'c7', isHere: false } } });
    expect(await agent.first).toMatchObject({ end: 'returned', text: 'new: Do it.\n' });
    expect(await agent.driver.recover(agent.task)).toBe('new: Do it.\n');
    expect(await agent.repair('fix it')).toMatchObject({ text: 'c1: fix it' });
    await agent.close();
  });

  describe('whose id is chosen', () => {
    const oneShot = { takesConversationId: true } as const;
    const id = '0b6f1f6e-9f2a-4c57-8b6e-2d3d1f1f7a10';
    const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    /** Says by which id it resumes or starts; `unless` refuses one. */
    const names = (unless = ''): string => `${unless} tell(back(args[2] + ' ' + (args[5] ?? '')));`;
    const forgets = `if (args[2] === '${id}') { console.error('never heard of it'); process.exit(1); }`;
    const taken = `if (args[5] === '${id}') { console.error('never heard of it'); process.exit(1); }`;
    const resumes = { driver: 'plain', id, isHere: true };

    it('is noted before the program starts', async () => {
      const agent = start(names(), { oneShot });
      expect(await agent.first).toMatchObject({ text: expect.stringMatching(/^new [0-9a-f-]{36}$/) });
      await agent.close();
      const [noted, started] = agent.notes;
      expect(noted).toMatchObject({ kind: 'conversation', driver: 'plain', id: expect.stringMatching(uuid) });
      expect(started).toMatchObject({ kind: 'started' });
    });

    it.each([
      ['is resumed', names(), `${id} `],
      ['is given to a new one that the program does not know', names(forgets), `new ${id}`],
    ])('%s', async (_, source, text) => {
      const agent = start(source, { oneShot, task: { resumes } });
      expect(await agent.first).toMatchObject({ text });
      await agent.close();
      expect(agent.notes.filter(({ kind }) => kind === 'conversation')).toEqual([
        { kind: 'conversation', driver: 'plain', id },
      ]);
    });

    it('is another one if the program can neither resume it nor start it', async () => {
      const agent = start(names(forgets + taken), { oneShot, task: { resumes } });
      expect(await agent.first).toMatchObject({ text: expect.stringMatching(/^new [0-9a-f-]{36}$/) });
      await agent.close();
      const last = agent.notes.findLast(({ kind }) => kind === 'conversation');
      expect(last).toMatchObject({ id: expect.stringMatching(uuid) });
      expect(last).not.toMatchObject({ id });
    });
  });

  it('is not begun again for another failure', async () => {
    const source = `writeFileSync('starts', (existsSync('starts') ? readFileSync('starts', 'utf8') : '') + 'x'); process.exit(1);`;
    const agent = start(source, { task: { resumes: { driver: 'plain', id: 'c7', isHere: false } } });
    expect(await agent.first).toMatchObject({ end: 'failed', cause: 'exit' });
    expect(readFileSync(join(agent.task.directory, 'starts'), 'utf8')).toBe('x');
    await agent.close();
  });
});

describe('a limit', () => {
  const going = `for (let i = 0; ; i += 1) { tell({ kind: 'tool', id: 't' + i, name: 'x', argument: '' }, { kind: 'tool-ended', id: 't' + i, name: 'x', argument: '', failed: false, detail: '' }); await sleep(20); }`;

  it.each([
    ['turns', going, { turns: 3 }, 'stopped at its limit of 3 turns; the files it left are kept'],
    [
      'tokens',
      'for (let i = 1; ; i += 1) { tell(used(i * 100)); await sleep(20); }',
      { tokens: 350 },
      'stopped at its limit of 350 tokens; the files it left are kept',
    ],
    [
      'its own',
      'tell({ kind: "error", text: "the most", limit: "cost" }); process.exit(1)',
      { cost: 2 },
      'stopped at its limit of $2; the files it left are kept',
    ],
  ])('of %s ends a program that continues', async (_, source, limits, message) => {
    const agent = start(source, { task: { limits } });
    expect(await agent.first).toMatchObject({ end: 'failed', cause: 'limit', message });
    expect(processStat(agent.notes.find((note) => note.kind === 'started')?.pid ?? 0)).toBeNull();
    await agent.close();
  });

  it('counts all turns of a conversation: nothing is asked again without anything left', async () => {
    const agent = start(`tell(id('c1'), used(100), say('x'), back('x'))`, {
      task: { limits: { tokens: 200, turns: 9 } },
    });
    expect(await agent.first).toMatchObject({ end: 'returned' });
    expect(await agent.repair('fix it')).toMatchObject({ end: 'returned' });
    expect(await agent.repair('fix it')).toMatchObject({ end: 'failed', cause: 'limit' });
    await agent.close();
  });
});

describe('recover', () => {
  const source = `tell(id('c1'), say('half')); await sleep(800); tell(back('whole'));`;

  /** Starts a delegation in a process that is killed as soon as its agent has said something. */
  async function orphan(program: string): Promise<{ driver: Driver; task: DriverTask }> {
    const { driver, task, close } = start('', {});
    await close();
    const { outputFile, transcript, directory } = task;
    const own = { outputFile: `${outputFile}.2`, transcript: `${transcript}.2` };
    const orphaned = { ...task, ...own };
    const root = dirname(directory);
    writeFileSync(join(root, 'program.mjs'), `${prelude}${program}`);
    writeFileSync(
      join(root, 'orchestrator.mjs'),
      `import { oneShotDriver } from ${JSON.stringify(join(import.meta.dirname, 'one-shot-driver.ts'))};
import { plainOneShot } from ${JSON.stringify(join(import.meta.dirname, '../../../tests/support/plain-one-shot.ts'))};
const driver = oneShotDriver({ name: 'plain', profile: { name: 'plain', failures: [], oneShot: plainOneShot }, program: [process.execPath, ${JSON.stringify(join(root, 'program.mjs'))}],
  environment: [], variables: {}, tiers: { fast: {}, standard: {}, deep: {} }, own: process.env, project: ${JSON.stringify(root)} });
driver.start(${JSON.stringify(orphaned)}, new AbortController().signal, ({ pid }) => pid && console.log(pid));`,
    );
    const orchestrator = spawn(process.execPath, [join(root, 'orchestrator.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(orchestrator.stdout, 'data')) as [Buffer];
    await expect
      .poll(() => existsSync(own.outputFile) && readFileSync(own.outputFile, 'utf8'), { timeout: 30_000 })
      .toBe('half');
    orchestrator.kill('SIGKILL');
    await expect.poll(() => processStat(Number(String(line)))?.zombie ?? true, { timeout: 30_000 }).toBe(true);
    return { driver, task: orphaned };
  }

  it('gives what a program returned after the death of its orchestrator', async () => {
    const { driver, task } = await orphan(source);
    expect(readFileSync(task.outputFile, 'utf8')).toBe('half');
    expect(await driver.recover(task)).toBe('whole');
  });

  it('gives nothing of what was only said', async () => {
    const { driver, task } = await orphan(`tell(id('c1'), say('half')); await sleep(500); process.exit(0)`);
    expect(await driver.recover(task)).toBeNull();
  });

  it('reads the last turn alone, and nothing that is not a file', async () => {
    const agent = start(
      `if (args[2] === 'new') tell(id('c1'), back('bad')); else process.kill(process.pid, 'SIGKILL');`,
    );
    await agent.first;
    await agent.repair('fix it');
    expect(await agent.driver.recover(agent.task)).toBeNull();
    await agent.close();
    const root = folder({ 'said/a.out': 'half', 'said/a.out.begins': '0\n' });
    mkdirSync(join(root, 'said', 'a.plain.jsonl'));
    const task = driverTask(root, { outputFile: join(root, 'said', 'a.out'), transcript: join(root, 'said', 'a') });
    expect(await agent.driver.recover(task)).toBeNull();
  });
});

describe('close', () => {
  it('does not wait until all is read that a program has written', async () => {
    const slow = (): ReturnType<OneShot['reader']> => () => {
      const until = performance.now() + 5;
      while (performance.now() < until);
      return [];
    };
    const source = `for (let i = 0; i < 4000; i += 1) tell(say('x'.repeat(500))); writeFileSync('written', ''); await sleep(60_000);`;
    const agent = start(source, { oneShot: { reader: slow } });
    await expect.poll(() => existsSync(join(agent.task.directory, 'written')), { timeout: 30_000 }).toBe(true);
    const since = performance.now();
    agent.cancel();
    expect(await agent.first).toMatchObject({ end: 'cancelled' });
    expect(performance.now() - since).toBeLessThan(8000);
    await agent.close();
  }, 30_000);

  it('ends what a program has left behind when it returned', async () => {
    const source = `import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
child.unref();
tell(back(String(child.pid)));`;
    const agent = start(source);
    const turn = await agent.first;
    const pid = Number('text' in turn ? turn.text : '');
    expect(processStat(pid)).toMatchObject({ zombie: false });
    await agent.close();
    await expect.poll(() => processStat(pid)?.zombie ?? true).toBe(true);
  });
});
