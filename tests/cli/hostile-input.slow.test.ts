/** Input meant to harm, and readers that go away. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/contracts/field.ts';
import * as answers from '../support/answers.ts';
import { deviatingReview } from '../support/returns.ts';
import { sampleAssignment } from '../support/samples.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { environment, mainFile, divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

/** What steers a terminal or reorders its text; line ends are how we write ourselves. */
const steers = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const attack = '\u001B]0;owned\u0007\u001B[2J\u009B31m\u202Etxt.exe\u0085\u2028\b\0\r';

describe('terminal sequences in what an agent wrote do not reach standard output', () => {
  const review = deviatingReview
    .replace('Refunds can', `Refunds ${attack} can`)
    .replace('security: none', `security: ${attack} x`);
  const cases: readonly [what: string, args: readonly string[], input: string, code: number][] = [
    [
      'a valid return that deviates',
      ['contract', 'check', 'code-reviewer'],
      review.replace('minor:', `${attack}x: 1\nminor:`),
      0,
    ],
    ['a valid return whose summary it is', ['contract', 'check', 'task-review'], 'LOW|a\u009B31m\u202Eb|r.md', 0],
    ['prose', ['contract', 'check', 'code-reviewer'], `prose ${attack} prose`, 1],
    [
      'a choice that is none',
      ['contract', 'check', 'code-reviewer'],
      review.replace(': block', `: ${attack} block`),
      1,
    ],
    ['a path that is none', ['contract', 'check', 'task-review'], `LOW|x|/${attack}.md`, 1],
    ['a path that is not there', ['contract', 'check', 'task-review', '--root', '.'], 'LOW|x|a\u009B31m\u202E.md', 1],
    ['an assignment', ['assignment', 'check'], JSON.stringify(sampleAssignment({ run_id: '', [attack]: attack })), 1],
    [
      'an assignment that is valid',
      ['assignment', 'check'],
      JSON.stringify(sampleAssignment({ agent: attack, delegation_path: ['o', 'c', attack] })),
      0,
    ],
  ];

  it.each(cases)('%s', async (_what, args, input, code) => {
    const repair = args.map((word) => (word === 'check' ? 'repair' : word));
    const runs = await Promise.all([
      divisi(args, { cwd: folder(), input }),
      divisi([...args, '--json'], { cwd: folder(), input }),
      ...(args[0] === 'contract' ? [divisi(repair, { cwd: folder(), input })] : []),
    ]);
    for (const run of runs) {
      expect(run.code).toBe(code);
      expect(run.stderr).toBe('');
      expect(run.stdout).not.toMatch(steers);
      expect(run.stdout).not.toBe('');
    }
  });

  it('nor in a name, to standard error', async () => {
    const { code, stdout, stderr } = await divisi(['contract', 'show', '\u001B[2J\u009B31m\u202Ex'], { cwd: folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toMatch(steers);
  });
});

describe('size', () => {
  const nine = Buffer.alloc(9 * 1024 * 1024, 'a');

  it.each([
    ['a file', ['return.txt']],
    ['standard input', ['-']],
  ])('9 MiB from %s are refused, and both ends are shown', async (_what, file) => {
    const cwd = folder({ 'return.txt': nine });
    const { code, stdout, stderr } = await divisi(['contract', 'check', 'code-reviewer', ...file, '--json'], {
      cwd,
      input: nine,
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const { violations, salvaged } = answers.checkInvalid.parse(JSON.parse(stdout));
    expect(violations).toEqual([
      { code: 'too-large', path: '', expected: `at most ${limits.input} bytes`, got: `${nine.length} bytes` },
    ]);
    expect([salvaged.head.length, salvaged.tail.length]).toEqual([limits.excerpt, limits.excerpt]);
  });
});

/** The same bytes in every run. */
function garbage(length: number): Buffer {
  let state = 2_463_534_242;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

describe('bytes that are no text', () => {
  it.each(['worker-report', 'structured-return', 'code-reviewer', 'task-review'])(
    'are no return under %s',
    async (name) => {
      const { code, stdout, stderr } = await divisi(['contract', 'check', name], {
        cwd: folder(),
        input: garbage(200_000),
      });
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      expect(stdout).toMatch(/^not valid: /);
      expect(stdout).not.toMatch(steers);
      expect(stdout.length).toBeLessThan(10_000);
    },
  );

  it('are no assignment', async () => {
    const { code, stdout, stderr } = await divisi(['assignment', 'check'], { cwd: folder(), input: garbage(1_000) });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).not.toMatch(steers);
  });
});

describe('a reader that goes away', () => {
  it.each([
    ['a large answer', ['assignment', 'prompt', 'assignment.json'], 0],
    ['a large answer in JSON', ['assignment', 'prompt', 'assignment.json', '--json'], 0],
    ['a small answer', ['contract', 'check', 'code-reviewer', 'assignment.json'], 1],
  ])('is not an error: %s', async (_what, args, code) => {
    const task = {
      id: '1',
      description: 'd',
      report_path: 'r.md',
      acceptance: Array.from({ length: 60 }, () => 'word '.repeat(3_000)),
    };
    const cwd = folder({ 'assignment.json': JSON.stringify(sampleAssignment({ task })) });
    const child = spawn(process.execPath, [mainFile, ...args], {
      cwd,
      env: environment(cwd),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    child.stdout.once('data', () => child.stdout.destroy());
    expect([await text(child.stderr), await ended]).toEqual(['', code]);
  });

  it('also behind a pipe of the shell', async () => {
    const cwd = folder();
    const line = `"${process.execPath}" "${mainFile}" contract show worker-report | head -1`;
    const child = spawn('sh', ['-c', line], { cwd, env: environment(cwd), stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(stdout).toMatch(/^worker-report, version 1, report format: .*\n$/);
    expect(stderr).toBe('');
  });
});

/** A device that is always full; systems other than Linux have none, and the test then shows as skipped. */
const fullDevice = '/dev/full';

describe('a disk without room for the answer', () => {
  it.skipIf(!existsSync(fullDevice))('ends with its own exit code and one line, not with a verdict', () => {
    const stdout = openSync(fullDevice, 'w');
    const cwd = folder();
    const run = spawnSync(process.execPath, [mainFile, 'contract', 'list'], {
      cwd,
      env: environment(cwd),
      stdio: ['ignore', stdout, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(stdout);
    expect(run.status).toBe(74);
    expect(run.stderr).toMatch(/^divisi: the answer could not be written: ENOSPC.*\n$/);
  });
});
