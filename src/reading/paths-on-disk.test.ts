import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleResult } from '../../tests/support/samples.ts';
import { contractNamed } from '../../tests/support/wire-returns.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { type Violation, violationSchema } from '../contracts/finding.ts';
import type { Result } from '../contracts/result.ts';
import { checkPathsOnDisk } from './paths-on-disk.ts';

const folder = temporaryFolders();

function project(): string {
  const outside = folder({ 'secret.md': 'secret' });
  const root = folder({ 'a.md': 'abc', 'empty.md': '', 'dir/b.md': 'b' });
  mkdirSync(join(root, 'empty-dir'));
  const links: readonly [string, string][] = [
    ['link-in.md', 'a.md'],
    ['link-empty.md', 'empty.md'],
    ['link-out.md', join(outside, 'secret.md')],
    ['link-out-dir', outside],
    ['loop-a', 'loop-b'],
    ['loop-b', 'loop-a'],
    ['dangling.md', 'gone.md'],
  ];
  for (const [name, target] of links) symlinkSync(target, join(root, name));
  return root;
}

async function checked(paths: readonly string[], as: 'artifacts' | 'filesTouched'): Promise<Violation[]> {
  const result =
    as === 'artifacts'
      ? sampleResult({ artifacts: paths.map((path) => ({ type: 'report', path })) })
      : sampleResult({ filesTouched: paths.map((path) => ({ path, action: 'edit' })) });
  return checkPathsOnDisk(project(), result, contractNamed(as === 'artifacts' ? 'structured-return' : 'worker-report'));
}

const cases: readonly [what: string, path: string, artifact: string | undefined, touched: string | undefined][] = [
  ['a file', 'a.md', undefined, undefined],
  ['a folder', 'dir', 'artifact-missing', undefined],
  ['an empty folder', 'empty-dir', 'artifact-missing', undefined],
  ['a symlink inside', 'link-in.md', undefined, undefined],
  ['a file that is gone', 'gone.md', 'artifact-missing', undefined],
  ['a file in a folder that is gone', 'gone/x.md', 'artifact-missing', undefined],
  ['a file below a file', 'a.md/x.md', 'artifact-missing', undefined],
  ['a symlink to nothing', 'dangling.md', 'artifact-missing', undefined],
  ['a symlink loop', 'loop-a', 'artifact-missing', undefined],
  ['an empty file', 'empty.md', 'artifact-empty', undefined],
  ['a symlink to an empty file', 'link-empty.md', 'artifact-empty', undefined],
  ['a symlink out', 'link-out.md', 'artifact-outside', 'artifact-outside'],
  ['a folder that is a symlink out', 'link-out-dir/secret.md', 'artifact-outside', 'artifact-outside'],
];

describe('what a result says of files, and what there is', () => {
  it.each(cases)('%s', async (_what, path, artifact, touched) => {
    expect((await checked([path], 'artifacts')).map(({ code }) => code)).toEqual(
      artifact === undefined ? [] : [artifact],
    );
    expect((await checked([path], 'filesTouched')).map(({ code }) => code)).toEqual(
      touched === undefined ? [] : [touched],
    );
  });

  it('names each by its place, what was expected and what came', async () => {
    expect(await checked(['a.md', 'gone.md', 'empty.md', 'link-out.md'], 'artifacts')).toEqual([
      { code: 'artifact-missing', path: 'artifacts[1].path', expected: 'a file that exists', got: 'gone.md' },
      { code: 'artifact-empty', path: 'artifacts[2].path', expected: 'a file that is not empty', got: 'empty.md' },
      {
        code: 'artifact-outside',
        path: 'artifacts[3].path',
        expected: 'a file inside the project',
        got: 'link-out.md (a symlink leads out)',
      },
    ]);
    expect(await checked(['a.md', 'link-out.md'], 'filesTouched')).toMatchObject([
      { path: 'files_touched[1].resource' },
    ]);
  });

  it.each<[string, Partial<Result>, string]>([
    ['todo-doc-generator', { artifacts: [{ type: 'plan', path: 'gone.md' }] }, 'path'],
    ['wave-review', { artifacts: [{ type: 'report', path: 'gone.md' }] }, 'path'],
    [
      'tdd-task-executor',
      { filesTouched: [{ path: 'link-out.md', action: 'edit' }] },
      'files_changed or files_created',
    ],
  ])('names the field of %s', async (name, changes, path) => {
    expect(await checkPathsOnDisk(project(), sampleResult(changes), contractNamed(name))).toMatchObject([{ path }]);
  });

  it('says nothing of a result without files', async () => {
    expect(await checkPathsOnDisk(project(), sampleResult(), contractNamed('worker-report'))).toEqual([]);
  });

  it('repeats a name safely', async () => {
    const violations = await checked([`${'x'.repeat(300)}.md`, 'a\u009B31m\u202E.md'], 'artifacts');
    for (const violation of violations) {
      expect(violationSchema.safeParse(violation).success).toBe(true);
      expect(violation.got.length).toBeLessThanOrEqual(80);
      expect(violation.got).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
    expect(violations).toHaveLength(2);
  });
});
