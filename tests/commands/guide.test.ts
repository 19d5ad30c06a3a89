/** Checks the statuses in docs/tasks.md against the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nextStatuses, taskStatuses } from '../../src/todo/task-status.ts';
import { repository } from '../support/repository.ts';

it('the table of statuses', () => {
  const guide = readFileSync(join(repository, 'docs/tasks.md'), 'utf8');
  const section = guide.slice(guide.indexOf('## Statuses'), guide.indexOf('## The files'));
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.slice(1)).toEqual(
    taskStatuses.map((status) => `| ${status} | ${nextStatuses(status).join(', ') || 'nothing else'} |`),
  );
});
