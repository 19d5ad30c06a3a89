/** `--root DIR`: what a return says of files, against the disk. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as answers from '../support/answers.ts';
import { exampleReturn } from '../support/returns.ts';
import { type Files, temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const secret = 'only-for-those-outside';

/** A project in a folder of its own, beside something it must not reach. */
function project(files: Files = {}): { root: string; cwd: string } {
  const outside = folder({ 'secret.md': secret, 'report.md': exampleReturn('worker-report') });
  const root = folder(files);
  mkdirSync(join(root, 'reports'), { recursive: true });
  symlinkSync(join(outside, 'secret.md'), join(root, 'reports/out.md'));
  symlinkSync(join(outside, 'report.md'), join(root, 'reports/out-report.md'));
  symlinkSync(outside, join(root, 'reports/out-dir'));
  symlinkSync('../there.md', join(root, 'reports/in.md'));
  return { root, cwd: folder() };
}

async function codesOf(
  contract: string,
  input: string,
  files: Files = {},
): Promise<{ code: number | null; codes: string[]; stdout: string }> {
  const { root, cwd } = project(files);
  const { code, stdout, stderr } = await divisi(['contract', 'check', contract, '--root', root, '--json'], {
    cwd,
    input,
  });
  expect(stderr).toBe('');
  const answer: unknown = JSON.parse(stdout);
  const codes = code === 1 ? answers.checkInvalid.parse(answer).violations.map((violation) => violation.code) : [];
  if (code === 0) answers.checkValid.parse(answer);
  return { code, codes, stdout };
}

describe('artifacts', () => {
  it.each([
    ['a symlink that stays inside', 'reports/in.md', 0, []],
    ['a file that is not there', 'reports/nothing.md', 1, ['artifact-missing']],
    ['an empty file', 'empty.md', 1, ['artifact-empty']],
    ['a symlink that leads out', 'reports/out.md', 1, ['artifact-outside']],
    ['a folder that leads out', 'reports/out-dir/secret.md', 1, ['artifact-outside']],
  ])('%s', async (_what, path, code, codes) => {
    const answer = await codesOf('task-review', `LOW|x|${path}`, { 'there.md': 'a review', 'empty.md': '' });
    expect({ code: answer.code, codes: answer.codes }).toEqual({ code, codes });
  });

  it('are not looked for without --root', async () => {
    const { code } = await divisi(['contract', 'check', 'task-review'], { cwd: folder(), input: 'LOW|x|nothing.md' });
    expect(code).toBe(0);
  });

  it('a deleted file that was touched is fine, one that leads out is not', async () => {
    const touching = (path: string): string =>
      exampleReturn('tdd-task-executor').replace('src/refunds/ledger.ts', path);
    expect(await codesOf('tdd-task-executor', touching('src/gone.ts'))).toMatchObject({ code: 0 });
    expect(await codesOf('tdd-task-executor', touching('reports/out.md'))).toMatchObject({
      code: 1,
      codes: ['artifact-outside'],
    });
  });

  it('repair asks for what is missing', async () => {
    const { root, cwd } = project();
    const { code, stdout } = await divisi(['contract', 'repair', 'task-review', '--root', root], {
      cwd,
      input: 'LOW|x|nothing.md',
    });
    expect(code).toBe(1);
    expect(stdout).toContain('- path [artifact-missing]: expected a file that exists; got nothing.md\n');
  });

  it('the root may be a relative path', async () => {
    const cwd = folder({ 'project/there.md': 'a review' });
    const { code } = await divisi(['contract', 'check', 'task-review', '--root', 'project'], {
      cwd,
      input: 'LOW|x|there.md',
    });
    expect(code).toBe(0);
  });
});

describe('a return that points at its report', () => {
  const report = exampleReturn('worker-report');

  it('is followed to it', async () => {
    const { root, cwd } = project({ 'reports/2.3.md': report });
    const args = ['contract', 'check', 'worker-report', '--root', root, '--json'];
    const { code, stdout } = await divisi(args, { cwd, input: 'Task done. Report: reports/2.3.md\n' });
    expect(code).toBe(0);
    const { result, sizes } = answers.checkValid.parse(JSON.parse(stdout));
    expect(result).toMatchObject({ status: 'completed', wireFormat: 'report', metadata: { taskId: '2.3' } });
    expect(sizes.return.characters).toBe(report.length);
  });

  it.each([
    ['one that leads outside', 'reports/out.md', ['report-not-read']],
    ['a valid one outside', 'reports/out-report.md', ['report-not-read']],
    ['one in a folder that leads outside', 'reports/out-dir/report.md', ['report-not-read']],
    ['one that is not there', 'reports/nothing.md', ['report-not-read']],
    ['one above the project', '../secret.md', ['path-outside', 'report-not-read']],
    ['an absolute one', '/etc/passwd', ['path-outside', 'report-not-read']],
    ['one that points at itself', 'reports/self.md', ['report-not-read']],
    ['an empty one', 'reports/empty.md', ['no-return']],
    ['one of prose', 'reports/prose.md', ['no-return']],
  ])('is not accepted: %s', async (_what, path, codes) => {
    const files = {
      'reports/self.md': 'Task done. Report: reports/self.md',
      'reports/empty.md': '',
      'reports/prose.md': 'All good.',
    };
    const answer = await codesOf('worker-report', `Task done. Report: ${path}`, files);
    expect(answer).toMatchObject({ code: 1, codes });
    expect(answer.stdout).not.toContain(secret);
    expect(answer.stdout).not.toContain('Cart totals');
  });

  it('what the report says is checked against the disk as well', async () => {
    const { code, codes } = await codesOf('worker-report', 'Task done. Report: reports/2.3.md', {
      'reports/2.3.md': report.replace('src/cart/total.ts', 'reports/out.md'),
    });
    expect({ code, codes }).toEqual({ code: 1, codes: ['artifact-outside'] });
  });
});
