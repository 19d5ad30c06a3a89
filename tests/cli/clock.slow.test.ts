/** A whole run on a clock that steps back each time it is read. */
import { expect, it } from 'vitest';
import { divisi } from '../support/divisi.ts';
import { ledgerOf, projectFiles } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

it('kills nothing: the work is done, verified and merged in one attempt each', { timeout: 120_000 }, async () => {
  const steps = `const now = Date.now; let back = 0; Date.now = () => now() - (back += 60_000);`;
  const settings = ['Reviews: off', 'Deadline: 5m'];
  const cwd = folder({ ...projectFiles({ waves: [['1.1', '1.2'], ['2.1']], settings }), 'clock.mjs': steps });
  const { code, stderr } = await divisi(['run', 'plan.md'], {
    cwd,
    variables: { NODE_OPTIONS: `--import ${cwd}/clock.mjs` },
  });
  expect({ code, stderr: stderr.replaceAll(/^.*not committed and not part of the run.*\n/gm, '') }).toEqual({
    code: 0,
    stderr: '',
  });
  const { report, events } = ledgerOf(cwd);
  expect([report.counts, report.spent.delegations]).toEqual([{ completed: 3 }, 3]);
  const times = events.map(({ at }) => at);
  expect(times.some((at, index) => at < (times[index - 1] ?? 0))).toBe(true);
});
