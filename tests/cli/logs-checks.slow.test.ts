/** `divisi logs --checks` and `--setup`: the output of the commands that Divisi ran for a task. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { divisi } from '../support/divisi.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

const plan = (command: string, accept: string): string =>
  [
    '# P',
    '## Settings',
    `- Command: ${command}`,
    '- Reviews: off',
    '## Wave 1: W',
    '| ID | Task | Status | Accept |',
    '|--|--|--|--|',
    `| 1.1 | Change it | [ ] | ${accept} |`,
    '',
  ].join('\n');

it('prints each command with its end, its file and its output', async () => {
  const cwd = folder({
    'a.txt': 'old\n',
    'key.txt': ['sk', 'ant', 'api03', 'abcdefghijklmnop'].join('-'),
    'check.sh':
      'echo looked at $(cat a.txt); echo RangeError: no price; echo the end $(cat key.txt); grep -q none a.txt\n',
    'plan.md': plan('sed -i s/old/new/ a.txt', 'sh -n check.sh; sh check.sh'),
    '.divisi/config.yaml': 'workspace:\n  setup: [[sh, -c, "echo prepared"]]\n',
  });
  expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
  const checks = await divisi(['logs', '1.1', '--checks'], { cwd });
  expect(checks).toMatchObject({ code: 0, stderr: '' });
  const file = /== `sh check\.sh`: exit code 1, (\S+\/accept-2\.txt)\n/.exec(checks.stdout)?.[1] ?? '';
  expect(checks.stdout).toMatch(/^== `sh -n check\.sh`: exit code 0, \S+\/accept-1\.txt\n== /);
  expect(checks.stdout).toContain('looked at new\nRangeError: no price\nthe end [redacted:');
  expect(readFileSync(join(cwd, file), 'utf8')).toContain('looked at new');
  expect((await divisi(['logs', '1.1', '--setup'], { cwd })).stdout).toMatch(/^== \S+\/setup-1\.txt\nprepared\n$/);

  const json = JSON.parse((await divisi(['logs', '1.1', '--checks', '--json'], { cwd })).stdout) as unknown;
  expect(json).toMatchObject({ task: '1.1', outputs: [{ ok: true }, { file, ok: false, end: 'exit code 1' }] });

  const report = await divisi(['report', '1.1'], { cwd });
  expect(report.stdout).toContain(file);
  const asked = await divisi(['status'], { cwd });
  expect(asked.stdout).toContain('sh check.sh: exit code 1; its error: RangeError: no price');
});

it('says that there are none', async () => {
  const cwd = folder({ 'a.txt': 'old\n', 'plan.md': plan('sed -i s/old/new/ a.txt', 'it is new') });
  expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(0);
  const none = await divisi(['logs', '1.1', '--checks'], { cwd });
  expect(none).toMatchObject({ code: 0, stdout: 'attempt 1 at 1.1 ran no acceptance commands\n' });
});
