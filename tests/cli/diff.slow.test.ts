/** `divisi diff`: what a task or a run has changed, wherever its work is. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure } from '../support/answers.ts';
import { gitIn, gitProject } from '../support/committed-project.ts';
import { hasTerminal, typeTo } from '../support/on-terminal.ts';
import { ledgerOf, projectFiles } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { roomsFolder } from '../support/rooms.ts';

const folder = temporaryFolders();

/** A worker that fails after it has left something, and says each time which attempt it was. */
const leaves = `import { writeFileSync } from 'node:fs';
writeFileSync('left.txt', 'attempt ' + process.env.DIVISI_ATTEMPT + '\\n\\u001b[31mred\\u202e\\n');
process.exit(3);
`;

describe.each(['a repository', 'a folder that is none'])('in %s', (kind) => {
  let cwd = '';
  let run = '';
  beforeAll(async () => {
    const project = {
      waves: [
        ['1.1', '1.2 after 1.1'],
        ['2.1', '2.2 after 2.1'],
      ],
      files: { 'leaves.mjs': leaves },
    };
    cwd = kind === 'a repository' ? gitProject(folder, project) : folder(projectFiles(project));
    const worker = join(cwd, 'worker.mjs');
    const own = "if (process.env.DIVISI_TASK === '2.1') await import(process.cwd() + '/leaves.mjs');\n";
    writeFileSync(worker, own + readFileSync(worker, 'utf8'));
    if (kind === 'a repository') gitIn(cwd, 'commit', '--quiet', '-am', 'Another worker');
    await divisi(['run', 'plan.md'], { cwd });
    ({ run } = ledgerOf(cwd).report);
  });
  const ask = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await divisi(['diff', ...args], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const refusal = async (...args: string[]): Promise<string> => {
    const { code, stdout } = await divisi(['diff', ...args, '--json'], { cwd });
    expect(code).toBe(2);
    return failure.parse(JSON.parse(stdout)).error.code;
  };

  it('of a task: what was merged, and nothing of what came before', async () => {
    const text = await ask('1.2');
    expect(text).toMatch(
      /^1\.2, attempt 1, merged: 1 file \+1 −0\ndiff --git a\/1\.2\.txt b\/1\.2\.txt\nnew file mode/,
    );
    expect(text).toMatch(/\n\+done 1\n$/);
    expect(text).not.toContain('1.1.txt');
    expect(await ask(`${run}/1.2`)).toBe(text);
  });

  it('of a task with a file that git does not take: the rest, and a word about it', async () => {
    const odd = join(roomsFolder(cwd), run.slice(-8), '2.1/git~1');
    writeFileSync(odd, 'x');
    const { code, stdout, stderr } = await divisi(['diff', '2.1'], { cwd });
    rmSync(odd);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('+attempt 2') as string });
    expect(stderr).toMatch(/^divisi: incomplete: git refuses some files: .*git~1/);
  });

  it('of a task that failed: what its folder has; of an earlier attempt: what that one left', async () => {
    expect(await ask('2.1')).toContain('2.1, attempt 2, from its room, not merged: 1 file +2 −0\n');
    expect(await ask('2.1')).toContain('\n+attempt 2\n');
    expect(await ask('2.1', '--attempt', '1')).toContain('\n+attempt 1\n');
  });

  it('of a run: its branch against what it began with; also without a name', async () => {
    const text = await ask(run, '--stat');
    expect(text).toBe(
      `${run}, branch divisi/${run}: 2 files +2 −0\n 1.1.txt | 1 +\n 1.2.txt | 1 +\n 2 files changed, 2 insertions(+)\n`,
    );
    expect(await ask('--stat')).toBe(text);
  });

  it('as JSON: the files and their lines', async () => {
    expect(JSON.parse(await ask('1.1', '--json'))).toEqual({
      run,
      task: '1.1',
      attempt: 1,
      where: 'merged',
      from: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      to: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      files: [{ path: '1.1.txt', change: 'added', binary: false, linesAdded: 1, linesDeleted: 0 }],
      linesAdded: 1,
      linesDeleted: 0,
    });
    expect(JSON.parse(await ask(run, '--json'))).toMatchObject({ run, branch: `divisi/${run}`, linesAdded: 2 });
  });

  it('for a program it is the diff as git has it, which can be applied', async () => {
    const text = await ask('2.1');
    expect(text).toContain('\u001b[31mred\u202e');
    const elsewhere = folder();
    execFileSync('git', ['apply'], { cwd: elsewhere, input: text });
    expect(readFileSync(join(elsewhere, 'left.txt'), 'utf8')).toBe('attempt 2\n\u001b[31mred\u202e\n');
  });

  it.runIf(hasTerminal)('on a terminal it has colours, and nothing in a file can steer it', async () => {
    const { code, shown } = await typeTo(['diff', '2.1'], cwd, []);
    expect(code).toBe(0);
    expect(shown).toContain(String.raw`+\u001b[31mred\u202e`);
    expect(shown).toContain('\u001b[32m+attempt 2\u001b[39m');
    expect(shown).not.toContain('\u001b[31mred');
  });

  it.each([
    ['2.2', 'TASK_UNKNOWN'],
    ['9.9', 'TASK_UNKNOWN'],
    ['1.1 --attempt 2', 'TASK_UNKNOWN'],
    ['1.1 --attempt none', 'USAGE'],
    ['--attempt 1', 'USAGE'],
    ['run_nothing', 'RUN_UNKNOWN'],
  ])('divisi diff %s is %s', async (line, code) => {
    expect(await refusal(...line.split(' '))).toBe(code);
  });
});

it('of a run that began before the folder was made a repository: says so, and so does resuming', async () => {
  const cwd = folder(projectFiles({ behave: { '1.1': 'fail' } }));
  await divisi(['run', 'plan.md'], { cwd });
  gitIn(cwd, 'init', '--quiet');
  for (const command of ['diff', 'verify', 'merge', 'resume']) {
    const { code, stdout } = await divisi([command, '--json'], { cwd });
    const last = stdout.trimEnd().split('\n').at(-1) ?? '';
    const { error } = failure.parse(JSON.parse(last));
    expect({ command, code, error: error.code }).toEqual({ command, code: 2, error: 'WORKSPACE_UNSUPPORTED' });
  }
});
