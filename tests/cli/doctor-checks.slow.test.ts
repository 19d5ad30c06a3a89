/** `divisi doctor --checks`: the canary alone, and whether checks notice a broken file. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkoutOf, divisiTo, gitProject } from '../support/git-project.ts';
import { divisi } from '../support/divisi.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };

const config = [
  'workspace:',
  '  setup: []',
  '  accept: [[sh, src/good.sh], [sh, -c, "echo Error: not today; exit 3"], [no-such-program]]',
].join('\n');

it('says how each command ends on the last commit, what it knew already, and leaves nothing', patient, async () => {
  const at = folder();
  const trace = join(at, 'trace');
  const cwd = gitProject(at, { config, files: { 'src/good.sh': `echo ran >> ${trace}\n` } });
  const before = checkoutOf(cwd);
  const said = await divisiTo(1, cwd, 'doctor', '--checks');
  expect(said).toMatch(/^checks at [0-9a-f]{10} in a fresh room\n/);
  expect(said).toMatch(/ {2}green +\S+ m?s +`sh src\/good\.sh`\n/);
  expect(said).toMatch(/ {2}red +.* exit 3'`: exit code 3: Error: not today\n/);
  expect(said).toMatch(/ {2}environment +.*`no-such-program`: could not start: no-such-program was not found/);
  expect(await divisiTo(2, cwd, 'doctor', '--checks', '--break', '1.1')).toContain('--plan FILE --break TASK');
  const again = JSON.parse((await divisi(['doctor', '--checks', '--json'], { cwd })).stdout) as {
    checks: { result: string; isCached?: true }[];
  };
  expect(again.checks.map(({ result, isCached }) => [result, isCached])).toEqual([
    ['green', true],
    ['red', undefined],
    ['environment', undefined],
  ]);
  expect(again.checks.some((check) => 'output' in check)).toBe(false);
  expect(readFileSync(trace, 'utf8')).toBe('ran\n');
  expect(checkoutOf(cwd)).toEqual(before);
  expect(readdirSync(join(cwd, '.divisi/runs'))).toEqual([]);
});

it('breaks files in the scope of a task and says which checks notice', patient, async () => {
  const cwd = gitProject(folder(), {
    config: 'workspace:\n  setup: []\n  accept: [[sh, src/good.sh]]\n',
    files: { 'src/good.sh': 'exit 0\n', 'src/unused.sh': 'exit 0\n', 'docs/a.md': 'a\n' },
    acts: { '1.1': { append: { 'src/good.sh': '\n' } } },
    waves: [
      [
        { id: '1.1', scope: 'src/good.sh' },
        { id: '1.2', scope: 'src/unused.sh', accept: 'run: sh -n src/unused.sh' },
        { id: '1.3', scope: 'docs' },
        { id: '1.4', scope: 'new' },
      ],
    ],
  });
  const before = checkoutOf(cwd);
  const broken = async (code: number, task: string): Promise<string> =>
    divisiTo(code, cwd, 'doctor', '--checks', '--plan', 'plan.md', '--break', task);
  expect(await broken(0, '1.1')).toContain('broken src/good.sh: noticed by `sh src/good.sh`');
  expect(await broken(0, '1.2')).toContain('broken src/unused.sh: noticed by `sh -n src/unused.sh`');
  expect(await broken(1, '1.3')).toContain('broken docs/a.md: no check notices');
  expect(await broken(0, '1.4')).toContain('nothing was broken: the scope of 1.4 has no files yet');
  expect(await broken(2, '1.9')).toContain('plan.md has no task 1.9');
  expect(checkoutOf(cwd)).toEqual(before);
  const lines = readFileSync(join(cwd, 'plan.md'), 'utf8').split('\n');
  writeFileSync(join(cwd, 'one.md'), lines.filter((line) => !/^\| 1\.[234] /.test(line)).join('\n'));
  await divisiTo(0, cwd, 'run', 'one.md');
  expect(await divisiTo(0, cwd, 'doctor', '--checks', '--break', '1.1')).toContain('noticed by `sh src/good.sh`');
  writeFileSync(join(cwd, '.divisi/config.yaml'), '');
  expect(await divisiTo(0, cwd, 'doctor', '--checks')).toContain('no acceptance commands');
  expect(await divisiTo(2, cwd, 'doctor', '--break', '1.1')).toContain('belong to --checks');
});
