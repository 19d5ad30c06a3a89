/** A small project whose check notices broken work, and the run that breaks it first. */
import { expect } from 'vitest';
import type { ActsByTask } from '../support/acting-agent.ts';
import { divisi } from '../support/divisi.ts';
import { tell, verdictsOf, verificationsOf } from '../support/git-project.ts';
import type { Files } from '../support/temporary-folder.ts';

/** The check of the project: `a.js` must add. */
const test = "require('node:assert').strictEqual(require('./a.js')(1, 2), 3, 'adds');\n";
export const files: Files = { 'test.js': test, 'a.js': 'module.exports = (a, b) => a + b;\n' };
export const good = { write: { 'a.js': 'module.exports = (a, b) => b + a;\n' } };
export const broken = { write: { 'a.js': 'module.exports = (a, b) => a - b;\n' } };
export const waves = [[{ id: '1.1', accept: 'run: node test.js' }]];

/** The first attempt breaks the code, the second one does not. Answers what the run said. */
export async function brokenThenGood(
  cwd: string,
  acts: ActsByTask[string] = [broken, good],
  variables: Record<string, string> = {},
): Promise<string> {
  tell(cwd, { '1.1': acts });
  const { code, stdout, stderr } = await divisi(['run', 'plan.md'], { cwd, variables });
  const [first] = verificationsOf(cwd, '1.1');
  expect({ code, verdicts: verdictsOf(cwd, '1.1'), said: stdout + stderr }).toEqual({
    code: 0,
    verdicts: ['rejected acceptance-failed', 'verified'],
    said: expect.any(String) as string,
  });
  // By the assertion of the check, not by a missing module.
  expect(first?.commands[0]?.tail).toContain('adds');
  return stdout + stderr;
}
