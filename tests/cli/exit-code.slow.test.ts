/** Programs that do their work and exit: their changes are their claim, and verification decides. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { divisi } from '../support/divisi.ts';
import { ledgerOf } from '../support/project.ts';
import { type Files, temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };

const reviewer = `mkdir -p "$(dirname "$DIVISI_REPORT_PATH")"
echo '# Review' > "$DIVISI_REPORT_PATH"
echo "LOW|nothing-to-do|$DIVISI_REPORT_PATH"
`;

interface Codemod {
  readonly command: string;
  readonly settings?: readonly string[];
  readonly accept?: string;
  readonly scope?: string;
}

function project({
  command,
  settings = ['Review: sh review.sh'],
  accept = 'sh check.sh',
  scope = 'src',
}: Codemod): Files {
  return {
    'src/a.js': 'export const old = 1;\n',
    'check.sh': 'grep new src/a.js\n',
    'review.sh': reviewer,
    'print.sh': `sed -i s/old/new/ src/a.js; echo '{"status":"splendid"}'\n`,
    'plan.md': [
      '# Rename',
      '',
      '## Settings',
      `- Command: ${command}`,
      ...settings.map((one) => `- ${one}`),
      '',
      '## Wave 1: Rename',
      '| ID | Task | Status | Scope | Accept |',
      '|---|---|---|---|---|',
      `| 1.1 | Rename old to new | [ ] | ${scope} | ${accept} |`,
      '',
    ].join('\n'),
  };
}

const rename = "sed -i 's/old/new/' src/a.js";
const reason = 'no report: the exit code and the diff are all there is';

describe.concurrent('a program that prints no return', patient, () => {
  it('completes its task by its changes; everywhere it says that there is no report', async () => {
    const cwd = folder(project({ command: rename }));
    const { code, stdout, stderr } = await divisi(['run', 'plan.md'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      / {2}1\.1 completed in [\d.]+ m?s, degraded \(no-report\): 1 file \+1 −1, checks 1\/1: no report: the exit code and the diff/,
    );
    const { run } = ledgerOf(cwd).report;
    for (const words of [['status'], ['report', '1.1']])
      expect((await divisi(words, { cwd })).stdout).toContain(reason);
    expect(readFileSync(join(cwd, '.divisi/runs', run, 'summary.md'), 'utf8')).toContain('1.1: no-report');
    expect((await divisi(['merge'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'src/a.js'), 'utf8')).toBe('export const new = 1;\n');
  });

  it('may only delete files', async () => {
    const cwd = folder(project({ command: 'rm src/a.js', accept: 'sh -n check.sh' }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(stdout).toContain('degraded (no-report): 1 file +0 −1, checks 1/1');
    expect(code).toBe(0);
  });

  it('leaves criteria in prose unaccounted', async () => {
    const cwd = folder(project({ command: rename, accept: 'sh check.sh; every caller is renamed' }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('degraded (no-report, criterion-unaccounted): 1 file +1 −1, checks 1/1');
    const { findings = [] } = ledgerOf(cwd).report.tasks[0]?.verification ?? {};
    expect(findings.map(({ fact }) => fact)).toEqual([
      reason,
      'the report has no row for C2 (every caller is renamed)',
    ]);
  });

  it('is rejected by its scope and by a failing command as any work', async () => {
    const outside = folder(project({ command: rename, scope: 'docs' }));
    expect((await divisi(['run', 'plan.md'], { cwd: outside })).stdout).toContain(
      '1.1 rejected: changed files outside the scope docs: src/a.js',
    );
    const failing = folder(project({ command: "sed -i 's/old/odd/' src/a.js" }));
    expect((await divisi(['run', 'plan.md'], { cwd: failing })).stdout).toContain(
      '1.1 rejected: sh check.sh: exit code 1',
    );
  });

  it('fails with its exit code', async () => {
    const cwd = folder(project({ command: 'sed -i s/old src/a.js', settings: ['Returns: exit-code'] }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain('1.1 failed in ');
    expect(stdout).toContain('agent-error: exit code 1: sed:');
  });

  it('with `Returns: exit-code` may print anything, and needs a command for reviews', async () => {
    const prints = 'sh print.sh';
    const settings = ['Returns: exit-code'];
    const cwd = folder(project({ command: prints, settings: [...settings, 'Review: sh review.sh'] }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('degraded (no-report): 1 file +1 −1');
    const alone = folder(project({ command: prints, settings }));
    const asked = await divisi(['run', 'plan.md'], { cwd: alone });
    expect(asked.code).toBe(5);
    expect(asked.stdout).toContain('returns an exit code, which judges nothing: set `Review:` in the plan');
    expect(asked.stderr).toContain('reviews have no one who gives a verdict, because an exit code judges nothing: set');
    const unreviewed = folder(project({ command: prints, settings: [...settings, 'Reviews: off'] }));
    expect((await divisi(['run', 'plan.md'], { cwd: unreviewed })).code).toBe(0);
  });

  it.each([
    ['silent', rename],
    ['talkative', 'sh print-stats.sh'],
  ])('that is started as the reviewer, too, is not started again: %s', async (_, command) => {
    const files = project({ command, settings: [] });
    const cwd = folder({ ...files, 'print-stats.sh': 'sed -i s/old/new/ src/a.js; echo 1 ok, 0 skipped\n' });
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain(
      'an exit code judges nothing: set `Review:` in the plan to a command that reviews, or `Rev',
    );
    expect(stdout.match(/wave-1:review started/g)).toHaveLength(1);
  });

  it('with `Returns: message` has not returned', async () => {
    const cwd = folder(project({ command: rename, settings: ['Returns: message'] }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain('the driver cannot ask again');
  });
});
