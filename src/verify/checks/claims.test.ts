import { describe, expect, it } from 'vitest';
import { sampleResult } from '../../../tests/support/samples.ts';
import { codeSimplifier, tddTaskExecutor } from '../../contracts/built-in/feature-work.ts';
import { structuredReturn } from '../../contracts/built-in/structured-return.ts';
import { workerReport } from '../../contracts/built-in/worker-report.ts';
import { checkClaims, claimsOf, unmet } from './claims.ts';
import type { WorkClaims, WorkChange } from '../work.ts';

type Action = WorkClaims['touched'][number]['action'];

interface Case {
  /** `edit a`: what is said. */
  readonly said: readonly string[];
  /** `+a`, `~a`, `-a`: what happened. */
  readonly real: readonly string[];
  readonly there?: readonly string[];
  readonly ignored?: readonly string[];
  /** Folders that still hold something. */
  readonly kept?: readonly string[];
  /** Of files that hold about the same: new → old. */
  readonly renames?: Readonly<Record<string, string>>;
  readonly artifacts?: readonly string[];
  readonly files?: WorkClaims['files'];
}

const kinds = { '+': 'added', '~': 'edited', '-': 'deleted' } as const;

function change(text: string): WorkChange {
  return { path: text.slice(1), change: kinds[text.charAt(0) as keyof typeof kinds], mode: '100644' };
}

function found(given: Case): string[] {
  const {
    said,
    real,
    there = [],
    ignored = [],
    kept = [],
    renames = {},
    artifacts = [],
    files = 'with-actions',
  } = given;
  const touched = said.map((text) => {
    const [action = '', path = ''] = text.split(' ');
    return { path, action: action as Action };
  });
  const facts = {
    claims: { files, touched, artifacts, evidence: [] },
    changes: real.map(change),
    ownPaths: ['reports/1.md'],
    there: new Set(there),
    ignored: new Set(ignored),
    renames: new Map(Object.entries(renames)),
  };
  return checkClaims({ ...facts, open: unmet(facts, new Set(kept)) }).map(
    ({ kind, paths }) => `${kind} ${paths.join(' ')}`,
  );
}

const cases: readonly [what: string, given: Case, ...expected: string[]][] = [
  ['nothing said, nothing done', { said: [], real: [] }],
  ['what is said is so', { said: ['edit a', 'create b', 'delete c'], real: ['~a', '+b', '-c'] }],
  ['another word for it', { said: ['create a', 'edit b'], real: ['~a', '+b'] }],
  ['another spelling', { said: ['edit ./src//a'], real: ['~src/a'] }],
  ['accents taken apart', { said: ['edit u\u0308.ts'], real: ['~\u00fc.ts'] }],
  ['edited, but it is not', { said: ['edit a'], real: [], there: ['a'] }, 'claimed-unchanged a'],
  ['created, but it is not there', { said: ['create a'], real: [] }, 'claimed-unchanged a'],
  ['deleted, but it is there', { said: ['delete a'], real: [], there: ['a'] }, 'claimed-unchanged a'],
  ['deleted, but edited', { said: ['delete a'], real: ['~a'], there: ['a'] }, 'claimed-unchanged a'],
  ['deleted, but it never was', { said: ['delete a'], real: [] }, 'claimed-unchanged a'],
  ['made and taken away again', { said: ['create a', 'delete a'], real: [] }],
  ['made and not taken away', { said: ['create a', 'delete a'], real: ['+a'], there: ['a'] }, 'claimed-unchanged a'],
  ['edited, but deleted', { said: ['edit a'], real: ['-a'] }, 'deleted-unclaimed a'],
  ['a folder, and something below', { said: ['edit src/x'], real: ['~src/x/a', '+src/x/y/b'] }],
  [
    'a folder, and nothing below',
    { said: ['edit src/x'], real: ['~src/xy'], there: ['src/x'] },
    'claimed-unchanged src/x',
    'changed-unclaimed src/xy',
  ],
  ['a folder deleted', { said: ['delete old'], real: ['-old/a', '-old/b/c'] }],
  [
    'a folder deleted, but only changed',
    { said: ['delete old'], real: ['~old/a'], there: ['old'] },
    'claimed-unchanged old',
  ],
  [
    'a folder deleted, but not all of it',
    { said: ['delete old'], real: ['-old/a'], there: ['old'], kept: ['old'] },
    'claimed-unchanged old',
  ],
  [
    'the whole project deleted, but one file',
    { said: ['delete .'], real: ['-a'], there: ['.'] },
    'claimed-unchanged .',
  ],
  ['the whole project', { said: ['edit .'], real: ['~a', '+b/c'] }],
  ['the whole project edited, and one deleted', { said: ['edit .'], real: ['~a', '-b'] }, 'deleted-unclaimed b'],
  [
    'an ignored file',
    { said: ['create dist/a'], real: [], there: ['dist/a'], ignored: ['dist/a'] },
    'claimed-ignored dist/a',
  ],
  [
    'an ignored file that is not there',
    { said: ['create dist/a'], real: [], ignored: ['dist/a'] },
    'claimed-unchanged dist/a',
  ],
  ['an ignored file deleted', { said: ['delete dist/a'], real: [], ignored: ['dist/a'] }, 'claimed-ignored dist/a'],
  ['what was handed out', { said: ['create reports/1.md', 'create .divisi/runs/r/x.md'], real: [] }],
  ['changed, not said', { said: ['edit a'], real: ['~a', '~b', '+c'] }, 'changed-unclaimed b c'],
  ['an artifact is said', { said: ['edit a'], real: ['~a', '+b'], artifacts: ['./b'] }],
  ['deleted, not said', { said: ['edit a'], real: ['~a', '-b'] }, 'deleted-unclaimed b'],
  ['renamed by the new name', { said: ['rename b.ts'], real: ['-a.ts', '+b.ts'], renames: { 'b.ts': 'a.ts' } }],
  ['renamed by the old name', { said: ['rename a.ts'], real: ['-a.ts', '+b.ts'], renames: { 'b.ts': 'a.ts' } }],
  ['renamed to another folder, and rewritten', { said: ['rename x/a.ts'], real: ['-a.ts', '+x/a.ts'] }],
  [
    'renamed, but another is gone that holds something else',
    { said: ['rename src/b.ts'], real: ['-src/a.ts', '+src/b.ts'] },
    'deleted-unclaimed src/a.ts',
  ],
  ['renamed by both names', { said: ['rename a.ts', 'rename b.ts'], real: ['-a.ts', '+b.ts'] }],
  [
    'renamed by both names, and another is gone',
    { said: ['rename a.ts', 'rename b.ts'], real: ['-a.ts', '+b.ts', '-c.ts'] },
    'deleted-unclaimed c.ts',
  ],
  [
    'one renamed, two gone',
    { said: ['rename x/a.ts'], real: ['+x/a.ts', '-y/a.ts', '-x/b.ts'] },
    'deleted-unclaimed x/b.ts',
  ],
  [
    'renamed into something else',
    { said: ['rename b.ts'], real: ['+b.ts', '-docs/a.md'] },
    'deleted-unclaimed docs/a.md',
  ],
  ['a folder renamed', { said: ['rename new'], real: ['+new/a', '+new/b', '-old/a', '-old/b'] }],
  ['renamed, but nothing happened', { said: ['rename a'], real: [], there: ['a'] }, 'claimed-unchanged a'],
  ['no deletions can be said', { said: ['edit a'], real: ['-a'], files: 'changed' }],
  ['no files can be said', { said: ['edit a'], real: ['-b', '~c'], files: 'none' }],
];

describe('what is said to be touched, and what changed', () => {
  it.each(cases)('%s', (_what, given, ...expected) => {
    expect(found(given)).toEqual(expected);
  });

  it('rejects false claims and silent deletions, and flags the rest', () => {
    const facts = {
      claims: {
        files: 'with-actions',
        touched: [
          { path: 'a', action: 'edit' },
          { path: 'i', action: 'edit' },
        ],
        artifacts: [],
        evidence: [],
      },
      changes: ['-b', '~c'].map(change),
      ownPaths: [],
      there: new Set(['a', 'i']),
      ignored: new Set(['i']),
      renames: new Map(),
    } as const;
    expect(checkClaims({ ...facts, open: unmet(facts, new Set()) })).toEqual([
      { kind: 'claimed-unchanged', rejects: true, claim: 'edited a', fact: 'it is unchanged', paths: ['a'] },
      {
        kind: 'claimed-ignored',
        rejects: false,
        claim: 'edited i',
        fact: 'it is ignored by git, so not part of the work',
        paths: ['i'],
      },
      { kind: 'deleted-unclaimed', rejects: true, fact: 'deleted but not reported: b', paths: ['b'] },
      { kind: 'changed-unclaimed', rejects: false, fact: 'changed but not reported: c', paths: ['c'] },
    ]);
    expect(unmet(facts, new Set()).map(({ path }) => path)).toEqual(['a', 'i']);
  });

  it('says of many only some', () => {
    const real = Array.from({ length: 2000 }, (_, at) => `~src/${at}.ts`);
    const [only] = checkClaims({
      claims: { files: 'with-actions', touched: [], artifacts: [], evidence: [] },
      changes: real.map(change),
      ownPaths: [],
      open: [],
      there: new Set(),
      ignored: new Set(),
      renames: new Map(),
    });
    expect(only?.fact).toBe('changed but not reported: src/0.ts, src/1.ts, src/2.ts, src/3.ts, src/4.ts and 1995 more');
    expect(only?.paths).toHaveLength(50);
  });
});

describe('the claims of a result', () => {
  it('are those its contract asks for', () => {
    const files = [workerReport, tddTaskExecutor, codeSimplifier, structuredReturn].map(
      (contract) => claimsOf(contract, sampleResult()).files,
    );
    expect(files).toEqual(['with-actions', 'changed', 'changed', 'none']);
  });

  it('have its summary only where it is the agent’s own', () => {
    const evidence = [workerReport, tddTaskExecutor].map((contract) => claimsOf(contract, sampleResult()).evidence);
    expect(evidence).toEqual([['All done.'], []]);
  });

  it('come with artifacts and evidence', () => {
    const result = sampleResult({
      artifacts: [{ type: 'report', path: 'a.md' }],
      filesTouched: [{ path: 'b', action: 'edit' }],
      checks: [
        { criterion: 'c', status: 'pass', evidence: 'npm test: ok' },
        { criterion: 'd', status: 'skip' },
      ],
    });
    expect(claimsOf(workerReport, result)).toEqual({
      files: 'with-actions',
      touched: [{ path: 'b', action: 'edit' }],
      artifacts: ['a.md'],
      evidence: ['npm test: ok', 'All done.'],
    });
  });
});
