import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleResult } from '../../tests/support/samples.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { workerReport } from '../contracts/built-in/worker-report.ts';
import type { Result } from '../contracts/result.ts';
import { verificationSchema } from '../core/event/verification.ts';
import { claimsOf } from './checks/claims.ts';
import { copiesExample } from './checks/copied-example.ts';
import { type VerifyDeps, verifyWork, type Verified, type Work } from './verify-work.ts';
import type { WorkChange } from './work.ts';
import { slowness } from '../../tests/support/processor-time.ts';

const folder = temporaryFolders();
const project = folder({ 'src/a.ts': 'a', 'src/b.ts': 'b', 'dist/c.js': 'c', '.divisi/runs/r/report.md': 'r' });
const report = '.divisi/runs/r/report.md';
const edited = (path: string, more: Partial<WorkChange> = {}): WorkChange => ({
  path,
  change: 'edited',
  mode: '100644',
  ...more,
});

const honest = sampleResult({
  filesTouched: [{ path: 'src/a.ts', action: 'edit' }],
  checks: [{ criterion: 'it works', status: 'pass', evidence: 'npm test: 3 passed' }],
});

interface Seen {
  readonly ran: string[];
  readonly verified: Verified;
}

/** What the agent returned, or is said about its work. */
type More = Partial<Work> & { readonly result?: Result };

async function verify({ result = honest, ...more }: More = {}, deps: Partial<VerifyDeps> = {}): Promise<Seen> {
  const ran: string[] = [];
  const verified = await verifyWork(
    {
      directory: project,
      claims: claimsOf(workerReport, result),
      aboutReturn: copiesExample(workerReport, result),
      repairs: 0,
      expectsChanges: true,
      changes: [edited('src/a.ts')],
      lines: [{ path: 'src/a.ts', added: [{ line: 1, text: 'const a = 1;' }], removed: [] }],
      scope: ['src'],
      forbidden: [],
      ownPaths: [report],
      commands: [{ argv: ['npm', 'test'], from: 'plan' }],
      ...more,
    },
    {
      ignored: (paths) => Promise.resolve(new Set(paths.filter((path) => path.startsWith('dist/')))),
      kept: () => Promise.resolve(new Set()),
      before: () => Promise.resolve(undefined),
      after: () => Promise.resolve(undefined),
      renames: () => Promise.resolve(new Map()),
      run: ({ argv }) => {
        ran.push(argv.join(' '));
        const passed = { argv: [...argv], ok: true, end: 'exit code 0', milliseconds: 1 };
        return Promise.resolve({ ran: passed, errors: [], outside: [] });
      },
      ...deps,
    },
  );
  return { ran, verified };
}

const said = (changes: Partial<Result>): Result => ({ ...honest, ...changes });
const line = (path: string, text: string) => [{ path, added: [{ line: 1, text }], removed: [] }];

describe('honest work', () => {
  it('is verified, and its commands have run', async () => {
    const { ran, verified } = await verify();
    expect(ran).toEqual(['npm test']);
    expect(verified).toMatchObject({
      verdict: 'verified',
      findings: [],
      commands: [{ argv: ['npm', 'test'], from: 'plan', ok: true, end: 'exit code 0', milliseconds: 1 }],
    });
    const rest = { base: 'b', changes: [], changed: 0, linesAdded: 0, linesDeleted: 0, milliseconds: 0 };
    const { missing, ...facts } = verified;
    expect(missing.size).toBe(0);
    expect(verificationSchema().safeParse({ ...facts, ...rest }).success).toBe(true);
  });

  it('may name what was handed out', async () => {
    const result = said({
      artifacts: [
        { type: 'report', path: report },
        { type: 'report', path: '.divisi/runs/r/gone.md' },
        { type: 'report', path: 'handed/out.md' },
      ],
      filesTouched: [...honest.filesTouched, { path: report, action: 'create' }],
    });
    expect((await verify({ result, ownPaths: [report, 'handed/out.md'] })).verified.verdict).toBe('verified');
  });

  it('asks git nothing where nothing is in doubt', async () => {
    const { verified } = await verify({}, { ignored: () => Promise.reject(new Error('asked')) });
    expect(verified.verdict).toBe('verified');
  });
});

describe('each way to lie', () => {
  it.each<[kind: string, more: More]>([
    [
      'claimed-unchanged',
      { result: said({ filesTouched: [...honest.filesTouched, { path: 'src/b.ts', action: 'edit' }] }) },
    ],
    [
      'claimed-unchanged',
      { result: said({ filesTouched: [...honest.filesTouched, { path: 'src/z.ts', action: 'create' }] }) },
    ],
    ['deleted-unclaimed', { changes: [edited('src/a.ts'), edited('src/z.ts', { change: 'deleted' })] }],
    ['outside-scope', { scope: ['docs'] }],
    ['forbidden', { forbidden: ['src/a.ts'] }],
    ['own-files', { planFile: 'src/a.ts' }],
    [
      'link-leads-out',
      { changes: [edited('src/a.ts', { mode: '120000' })], linkTargets: new Map([['src/a.ts', '/etc']]) },
    ],
    ['embedded-repository', { changes: [edited('src/a.ts', { mode: '160000' })] }],
    ['artifact-missing', { result: said({ artifacts: [{ type: 'report', path: 'gone.md' }] }) }],
    ['secret', { lines: line('src/a.ts', `ghp_${'q7Zp2mLx9RtVb4KdW8sN'.toUpperCase()}fHcJ`) }],
  ])('is rejected before any command runs: %s', async (kind, more) => {
    const { ran, verified } = await verify(more);
    expect(verified.findings.map((one) => one.kind)).toEqual([kind]);
    expect([verified.verdict, verified.commands, ran]).toEqual(['rejected', [], []]);
  });

  it.each<[kind: string, more: More]>([
    [
      'claimed-ignored',
      { result: said({ filesTouched: [...honest.filesTouched, { path: 'dist/c.js', action: 'create' }] }) },
    ],
    ['changed-unclaimed', { changes: [edited('src/a.ts'), edited('src/b.ts')] }],
    ['artifact-ignored', { result: said({ artifacts: [{ type: 'report', path: 'dist/c.js' }] }) }],
    [
      'command-changed',
      {
        directory: folder({ 'src/a.ts': 'a', 'package.json': '{"scripts":{"test":"true"}}' }),
        changes: [edited('src/a.ts'), edited('package.json')],
        scope: [],
        result: said({ filesTouched: ['src/a.ts', 'package.json'].map((path) => ({ path, action: 'edit' as const })) }),
      },
    ],
    ['repaired', { repairs: 1 }],
    ['no-tools-used', { toolCalls: 0 }],
    ['empty-diff', { changes: [], lines: [], result: said({ filesTouched: [] }) }],
    ['placeholder', { lines: line('src/a.ts', '// your code here') }],
    ['conflict-markers', { lines: line('src/a.ts', '<<<<<<< HEAD') }],
    [
      'tests-removed',
      {
        lines: [{ path: 'src/a.test.ts', added: [], removed: ["it('a')"] }],
        changes: [edited('src/a.test.ts')],
        result: said({ filesTouched: [{ path: 'src/a.test.ts', action: 'edit' }] }),
      },
    ],
    ['tests-skipped', { lines: line('src/a.test.ts', "it.skip('a')") }],
    ['secret-likely', { lines: line('src/a.ts', `const password = '${'q7Zp2mLx9RtV'.toUpperCase()}x'`) }],
    ['evidence-unknown', { result: said({ summary: 'src/nowhere.ts is done' }) }],
    ['copied-example', { result: said({ summary: String(workerReport.example['summary']) }) }],
  ])('is accepted and told: %s', async (kind, more) => {
    const { ran, verified } = await verify(more);
    expect(verified.findings.map((one) => one.kind)).toEqual([kind]);
    expect([verified.verdict, ran]).toEqual(['degraded', ['npm test']]);
  });
});

it('what git ignores is not looked for in a checkout', async () => {
  const result = said({
    filesTouched: [...honest.filesTouched, { path: 'dist/gone.js', action: 'create' }],
    artifacts: [{ type: 'report', path: 'dist/gone.md' }],
  });
  const kinds = (more: More) => verify(more).then(({ verified }) => verified.findings.map(({ kind }) => kind));
  expect(await kinds({ result })).toEqual(['claimed-unchanged', 'artifact-missing']);
  expect(await kinds({ result, isCheckout: true })).toEqual([]);
});

it('links are judged by what was committed, whatever is on disk by now', async () => {
  const directory = folder({ 'src/a.ts': 'a' });
  symlinkSync('a.ts', join(directory, 'src/in'));
  // Flipped after the snapshot.
  symlinkSync('a.ts', join(directory, 'src/out'));
  const result = said({ filesTouched: ['src/in', 'src/out'].map((path) => ({ path, action: 'create' as const })) });
  const changes = ['src/in', 'src/out'].map((path) => edited(path, { change: 'added', mode: '120000' }));
  const linkTargets = new Map([
    ['src/in', 'a.ts'],
    ['src/out', '../../out'],
  ]);
  const { verified } = await verify({ directory, result, changes, linkTargets });
  expect(verified.findings.map(({ kind, paths }) => [kind, paths])).toEqual([['link-leads-out', ['src/out']]]);
});

describe('commands', () => {
  it('all run, and one that fails rejects the work, against what was said of it', async () => {
    const commands = [
      { argv: ['npm', 'test'], from: 'plan' },
      { argv: ['npm', 'run', 'lint'], from: 'config' },
    ] as const;
    const { verified } = await verify(
      { commands: commands.map(({ argv, from }) => ({ argv: [...argv], from })), repairs: 1 },
      {
        run: ({ argv }) => {
          const tail = 'a\nAssertionError: expected 1 to be 2\n1 failed';
          const ended = { argv: [...argv], ok: argv.length > 2, end: 'exit code 1', milliseconds: 1, tail };
          return Promise.resolve({ ran: ended, errors: [], outside: [] });
        },
      },
    );
    expect(verified.verdict).toBe('rejected');
    expect(verified.commands.map(({ argv, from, ok }) => [argv.join(' '), from, ok])).toEqual([
      ['npm test', 'plan', false],
      ['npm run lint', 'config', true],
    ]);
    expect(verified.findings).toMatchObject([
      {
        kind: 'acceptance-failed',
        claim: 'npm test: 3 passed',
        fact: 'npm test: exit code 1; its error: AssertionError: expected 1 to be 2',
      },
      { kind: 'repaired' },
    ]);
  });

  it('that were cancelled leave the work unverified', async () => {
    await expect(verify({}, { run: () => Promise.reject(new Error('cancelled')) })).rejects.toThrow('cancelled');
  });
});

describe('time', () => {
  it('is short for two thousand files', async () => {
    const paths = Array.from({ length: 2000 }, (_, at) => `src/folder-${at % 50}/file-${at}.ts`);
    const added = Array.from({ length: 5 }, (_, at) => ({
      line: at,
      text: `  const total${at} = items.map((item) => item.price * item.count).reduce((sum, one) => sum + one, 0); // as before`,
    }));
    const more = {
      changes: paths.map((path) => edited(path)),
      lines: paths.map((path) => ({ path, added, removed: ['  const total = 0;'] })),
      result: said({ filesTouched: paths.slice(0, 1000).map((path) => ({ path, action: 'edit' as const })) }),
      commands: [],
    };
    const times: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      const began = process.cpuUsage();
      await verify(more);
      times.push(process.cpuUsage(began).user / 1000);
    }
    // Measured at a third of it; the rest is for slow machines.
    expect(Math.min(...times) / slowness()).toBeLessThan(75);
  });
});
