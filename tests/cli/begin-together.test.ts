/** Several people, or scripts, who start the same plan at the same moment. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { tutti } from '../support/tutti.ts';

const newFolder = temporaryFolders();

const plan = `# Once
## Settings
- Command: node worker.mjs
## Wave 1
| ID | Task | Status |
|---|---|---|
| 1.1 | once | [ ] |
`;

const worker = `import { appendFileSync } from 'node:fs';
appendFileSync('starts', 'x');
await new Promise((resolve) => setTimeout(resolve, 1500));`;

it('only one of them runs it; the others are told by whom it is run', async () => {
  const cwd = newFolder({ 'plan.md': plan, 'worker.mjs': worker });
  const all = await Promise.all(Array.from({ length: 4 }, async () => tutti(['run', 'plan.md'], { cwd })));
  const refused = all.filter(({ stderr }) => stderr.includes('[RUN_UNFINISHED]'));
  expect(all.map(({ code }) => code).toSorted()).toEqual([1, 2, 2, 2]);
  expect(refused.length).toBe(3);
});

it('a ledger that is taken away under a run ends it, and says so', async () => {
  const cwd = newFolder({ 'plan.md': plan, 'worker.mjs': worker });
  const running = tutti(['run', 'plan.md'], { cwd });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (const end of ['', '-wal', '-shm']) rmSync(join(cwd, `.tutti/ledger.db${end}`), { force: true });
  const { code, stderr } = await running;
  expect(stderr).toContain('[LEDGER_UNWRITABLE]');
  expect(stderr).toContain('removed or exchanged');
  expect(code).toBe(2);
});
