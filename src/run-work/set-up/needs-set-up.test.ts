import { expect, it } from 'vitest';
import { needsSetUp } from './needs-set-up.ts';

it.each([
  ['a worker, whatever its tools', 'work', ['Read'], true],
  ['a fixer', 'fix', ['Read'], true],
  ['a reviewer without a limit', 'wave-review', undefined, true],
  ['a reviewer with a shell', 'task-review', ['Read', 'Bash'], true],
  ['a reviewer with a tool we do not know', 'task-review', ['Read', 'mcp__x__run'], true],
  ['a reviewer that reads', 'final-review', ['Read', 'Grep', 'Write'], false],
  ['a reviewer that reads, with the names of another program', 'audit', ['read_file', 'glob'], false],
  ['a reviewer that may use git', 'wave-review', ['Read', 'Bash(git diff:*)', 'Bash(git log *)'], false],
  ['a reviewer that may run tests', 'wave-review', ['Read', 'Bash(npm test:*)'], true],
] as const)('a room is set up for %s: %s %j', (_, role, tools, needs) => {
  expect(needsSetUp(role, tools)).toBe(needs);
});
