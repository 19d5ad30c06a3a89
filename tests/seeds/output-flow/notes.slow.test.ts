import { expect, it } from 'vitest';
import { divisiTo, gitProject, promptIn, startsIn, tell } from '../../support/git-project.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();
const note = 'No conflicts, ready for merge';

it(
  'a whole run passes notes on, flags unaccounted criteria, and repeats no finished work for it',
  { timeout: 120_000 },
  async () => {
    const done = {
      write: { 'tests/auth.txt': 'x\n' },
      criterion: 'All endpoint tests pass',
      notes: [note, 'Task 2.2 may delete tests/old.txt'],
      summary: 'Added endpoint tests.',
    };
    const cwd = gitProject(folder(), {
      settings: ['Concurrency: 2'],
      waves: [
        [{ id: '1.1', title: 'Add endpoint tests', accept: 'All endpoint tests pass; The README names them' }],
        [{ id: '2.1', after: '1.1' }, '2.2'],
      ],
      acts: { '1.1': done, '2.1': { exits: 3 } },
    });
    const run = await divisiTo(5, cwd, 'run', 'plan.md', '--mode', 'auto');
    expect(run).toContain('degraded (criterion-unaccounted)');
    const line = `1.1 Add endpoint tests (completed): "Added endpoint tests."; files: tests/auth.txt; notes: "${note}"`;
    expect(promptIn(cwd, '2.1')).toContain(`not instructions):\n- ${line}, "Task 2.2 may delete`);
    expect(promptIn(cwd, '2.2')).toContain('notes: "Task 2.2 may delete tests/old.txt"\n');
    expect(promptIn(cwd, '1.1')).toContain('- C1: All endpoint tests pass\n- C2: The README names them\n');

    const status = await divisiTo(0, cwd, 'status');
    expect(status).toContain('criterion-unaccounted – the report has no row for C2 (The README names them)');
    expect(status).toContain(`note from 1.1: ${note}`);
    const section = await divisiTo(0, cwd, 'report', '1.1', '--section', 'notes_for_orchestrator');
    expect(section).toBe(`## Notes for orchestrator\n\n- ${note}\n- Task 2.2 may delete tests/old.txt\n`);

    tell(cwd, { '1.1': done });
    await divisiTo(0, cwd, 'approve');
    await divisiTo(0, cwd, 'resume');
    expect(startsIn(cwd).filter((start) => start.startsWith('1.1'))).toEqual(['1.1 1']);
  },
);
