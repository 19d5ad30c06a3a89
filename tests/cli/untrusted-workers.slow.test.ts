/** Hostile workers: they write control characters, look for secrets and name files of others. */
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProject, planText, projectFiles } from '../support/project.ts';
import { startDivisi } from '../support/running.ts';
import { packageCache } from '../../src/workspace/confine/package-cache.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
/** Side by side, each takes longer. */
const patient = { timeout: 120_000 };
/** What steers a terminal or reorders its text; line ends are how we write ourselves. */
const steers = /\r(?!\n)|[^\P{Cc}\n\r\t]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const attack = '\u001B[31mred\u001B]0;owned\u0007\u009B2J\u202Etxt\r';

describe.concurrent('terminal sequences', patient, () => {
  it('in titles, summaries, file names and output never reach a terminal', async () => {
    const wave = `## Wave 1: Part ${attack}\n\n| ID | Task | Status |\n|---|---|---|\n| 1.1 | Write ${attack.slice(0, -1)} it | [ ] |\n| 1.2 | Fail | [ ] |\n`;
    const plan = planText({ title: `Sample ${attack.slice(0, -1)}`, waves: [] }) + wave;
    const cwd = folder({ ...projectFiles({ behave: { '1.2': 'fail' } }), 'plan.md': plan });
    const worker = readFileSync(join(cwd, 'worker.mjs'), 'utf8');
    const loud = JSON.stringify(attack);
    writeFileSync(join(cwd, 'worker.mjs'), `console.log(${loud});\nconsole.error(${loud});\n${worker}`);
    writeFileSync(join(cwd, 'summary.txt'), `Done ${attack} it.`);
    const outputs = [await divisi(['run', 'plan.md'], { cwd })];
    expect(outputs[0]?.code).toBe(5);
    expect(outputs[0]?.stdout).toContain('red');
    const looks = ['status', 'list', 'show', 'events', 'logs 1.1', 'logs 1.2', 'report', 'report 1.1'];
    for (const line of looks) {
      const args = line.split(' ');
      outputs.push(...(await Promise.all([divisi(args, { cwd }), divisi([...args, '--json'], { cwd })])));
    }
    for (const { stdout, stderr } of outputs) {
      expect(stdout).not.toBe('');
      expect(stdout).not.toMatch(steers);
      expect(stderr).not.toMatch(steers);
    }
    const streamed = startDivisi(['resume', '--json'], { cwd });
    expect((await streamed.ended).stdout).not.toMatch(steers);
  });
});

/** The last ones lead to its own places. */
const always = [
  'GIT_LFS_SKIP_SMUDGE',
  'HOME',
  'PATH',
  'PWD',
  'TMPDIR',
  ...Object.keys(packageCache(folder()).variables),
];

describe.concurrent('the environment of a worker', patient, () => {
  const show = `
import { writeFileSync } from 'node:fs';
${inProject}
writeFileSync('seen.json', JSON.stringify(process.env));
`;
  const variables = {
    SECRET_TOKEN: 'hunter2',
    MY_KEY: 'k',
    MY_OTHER: 'o',
    LC_ALL: 'C',
    NODE_OPTIONS: '--no-deprecation',
  };
  const seen = (cwd: string): Record<string, string> =>
    JSON.parse(readFileSync(join(cwd, 'seen.json'), 'utf8')) as Record<string, string>;

  it('has nothing that is not on the list', async () => {
    const cwd = folder(projectFiles());
    writeFileSync(join(cwd, 'worker.mjs'), show);
    await startDivisi(['run', 'plan.md'], { cwd, variables }).ended;
    const names = Object.keys(seen(cwd)).filter((name) => !name.startsWith('DIVISI_'));
    expect(names.toSorted()).toEqual([...always, 'LC_ALL'].toSorted());
    expect(JSON.stringify(seen(cwd))).not.toContain('hunter2');
    expect(seen(cwd)['DIVISI_TASK']).toBe('1.1');
  });

  it('has what a driver of the config allows by name', async () => {
    const config = `drivers:\n  w: { kind: command, argv: ['${process.execPath}', worker.mjs], environment: [MY_KEY] }\n`;
    const plan = planText({ repair: false }).replace(/- Command: .*/, '- Driver: w');
    const cwd = folder({ 'worker.mjs': show, '.divisi/config.yaml': config, 'plan.md': plan });
    await startDivisi(['run', 'plan.md'], { cwd, variables }).ended;
    const names = Object.keys(seen(cwd)).filter((name) => !name.startsWith('DIVISI_'));
    expect(names.toSorted()).toEqual([...always, 'LC_ALL', 'MY_KEY'].toSorted());
  });
});

describe.concurrent('a report that is a symlink out of the project', patient, () => {
  it('is neither followed nor overwritten', async () => {
    const outside = join(folder({ 'private.txt': 'private words\n' }), 'private.txt');
    const cwd = folder(projectFiles({ behave: { '1.1': 'prose' } }));
    const worker = readFileSync(join(cwd, 'worker.mjs'), 'utf8');
    const link = `import { rmSync, symlinkSync } from 'node:fs';
if (process.env.DIVISI_TASK === '1.1') {
  rmSync(process.env.DIVISI_REPORT_PATH, { force: true });
  symlinkSync(${JSON.stringify(outside)}, process.env.DIVISI_REPORT_PATH);
}
`;
    writeFileSync(join(cwd, 'worker.mjs'), link + worker);
    const { code } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(0);
    expect(readFileSync(outside, 'utf8')).toBe('private words\n');
    const shown = await divisi(['report', '1.1'], { cwd });
    expect(shown.stdout + shown.stderr).not.toContain('private words');
  });

  it('nor is the file that its words are kept in', async () => {
    const outside = join(folder({ 'private.txt': 'private words\n' }), 'private.txt');
    const cwd = folder(projectFiles({ repair: false }));
    const link = `import { rmSync, symlinkSync } from 'node:fs';
const file = process.env.DIVISI_PROMPT_FILE.replace(/\\.prompt$/, '');
rmSync(file);
symlinkSync(${JSON.stringify(outside)}, file);
`;
    writeFileSync(join(cwd, 'worker.mjs'), link);
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
    expect((await divisi(['logs', '1.1'], { cwd })).stdout).not.toContain('private words');
    expect(readFileSync(outside, 'utf8')).toBe('private words\n');
  });

  it('nor is a folder of reports that leads out', async () => {
    const outside = folder({ 'a.txt': 'a' });
    const cwd = folder(projectFiles({ waves: [['1.1'], ['2.1']] }));
    const link = `import { rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
const reports = dirname(dirname(process.env.DIVISI_REPORT_PATH));
if (process.env.DIVISI_TASK === '1.1') {
  rmSync(reports, { recursive: true });
  symlinkSync(${JSON.stringify(outside)}, reports);
}
`;
    writeFileSync(join(cwd, 'worker.mjs'), link + readFileSync(join(cwd, 'worker.mjs'), 'utf8'));
    const { code, stdout, stderr } = await divisi(['run', 'plan.md'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('run completed');
    expect(existsSync(join(outside, 'wave-1'))).toBe(false);
    expect(existsSync(join(outside, 'wave-2'))).toBe(false);
    expect(lstatSync(outside).isDirectory()).toBe(true);
  });
});
