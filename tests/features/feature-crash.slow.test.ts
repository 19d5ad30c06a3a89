/** The process is killed with -9 again and again while features are built: each resume continues, and everything agrees at the end. */
import { describe, expect, it } from 'vitest';
import { gitIn } from '../support/committed-project.ts';
import { ledgerOf } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { begun, branchOf, featureProject, master, saysNo, text } from './feature-project.ts';

const folder = temporaryFolders();

describe.concurrent('features whose process is killed', { timeout: 120_000 }, () => {
  /** Milliseconds after an attempt has begun: in it, while its work is verified and merged, or just after. */
  it.each([0, 120, 400])('%i ms into a step, each time', async (later) => {
    const acts = {
      'auth.doc': { phases: 2, takes: 100 },
      'auth.1.tdd': { takes: 100 },
      'auth.1.review': { ...saysNo, takes: 100 },
      'payments.doc': { fields: { dependencies: ['auth'] } },
    };
    const cwd = featureProject(folder, acts);
    let words = ['feature', 'auth, payments'];
    for (const step of [
      'payments.doc',
      'auth.1.tdd',
      'auth.1.review',
      'auth.1.tdd-2',
      'auth.2.gate',
      'payments.1.tdd',
    ]) {
      const running = startDivisi(words, { cwd });
      let isOver = false;
      void running.ended.then(() => (isOver = true));
      await until(
        () => isOver || begun(cwd).some((line) => line.startsWith(`${step} `)),
        (seen) => seen,
      );
      await new Promise((resolve) => setTimeout(resolve, later));
      running.kill('SIGKILL');
      await running.ended;
      words = ['resume'];
    }
    await divisi(['resume'], { cwd });
    const { report, events } = ledgerOf(cwd);
    expect(report.status).toBe('completed');
    expect(report.counts).toEqual({ completed: 13 });

    const settled = events.flatMap((event) => (event.kind === 'task.settled' ? [event.task] : []));
    expect(settled).toHaveLength(new Set(settled).size);
    const added = events.flatMap((event) => (event.kind === 'step.added' ? [event.task.id] : []));
    expect(added.filter((id) => id.startsWith('auth.'))).toEqual(
      ['1.tdd', '1.review', '1.tdd-2', '1.review-2', '1.gate', '2.tdd', '2.review', '2.gate'].map((id) => `auth.${id}`),
    );
    const { commits, recorded } = branchOf(cwd);
    expect(commits).toEqual(recorded);
    const branch = report.workspace?.branch ?? '';
    expect(gitIn(cwd, 'ls-tree', '-r', '--name-only', branch, 'src').split('\n')).toEqual(
      ['auth/auth.1.tdd-2.txt', 'auth/auth.1.tdd.txt', 'auth/auth.2.tdd.txt', 'payments/payments.1.tdd.txt'].map(
        (path) => `src/${path}`,
      ),
    );

    expect(master(cwd)).toContain(`${report.run}: completed, 2 of 2 features completed.`);
    for (const commit of recorded.slice(1)) expect(master(cwd)).toContain(`(commit ${commit.slice(0, 10)})`);
    expect(text(cwd, '.divisi/features/auth-TODO.md').match(/^## Phase \d: .* \[COMPLETED\]$/gm)).toHaveLength(2);
    expect(text(cwd, '.divisi/features/payments-TODO.md').match(/\[COMPLETED\]$/gm)).toHaveLength(1);
  });
});
