/** Several people, or scripts, who start the same plan at the same moment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inProject } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type Run, divisi } from '../support/divisi.ts';

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
${inProject}
appendFileSync('starts', 'x');
console.log('started');
await new Promise((resolve) => setTimeout(resolve, 1500));`;

it('only one of them runs it; the others are refused with RUN_UNFINISHED', async () => {
  const cwd = newFolder({ 'plan.md': plan, 'worker.mjs': worker });
  const all = await Promise.all(Array.from({ length: 4 }, async () => divisi(['run', 'plan.md'], { cwd })));
  const isRefused = ({ stderr }: Run): boolean => stderr.includes('[RUN_UNFINISHED]');
  expect(all.filter(isRefused).map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(all.filter((one) => !isRefused(one)).map(({ code }) => code)).toEqual([5]);
  expect(readFileSync(join(cwd, 'starts'), 'utf8')).toBe('x');
});
