/** The last command on a backlog task was run by an older version of the core: the next one does not need it. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { delegations } from '../../src/cli/look/status-delegations.ts';
import { ledgerFile } from '../../src/workspace/places.ts';
import { type Behaviours, commandProject, give, tellAgent } from '../support/command-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const newFolder = temporaryFolders();

function makeOlder(project: string): void {
  const db = new DatabaseSync(ledgerFile(project));
  db.exec(`update events set body = json_set(body, '$.core', 1) where seq = 1; delete from snapshots`);
  db.close();
}

it.each<[string, Behaviours, number]>([
  ['completed', {}, 0],
  ['failed', { '12 1': 'stray', '12 2': 'stray' }, 1],
])('a %s one', async (_how, behave, code) => {
  const project = commandProject(newFolder());
  tellAgent(project, behave);
  expect((await give(project, 'research')).answer.code).toBe(code);
  makeOlder(project);
  tellAgent(project, {});
  expect((await give(project, 'research')).answer.code).toBe(0);
  makeOlder(project);
  expect(delegations(project, { all: true })).toMatchObject({ code: 0, json: { runs: [], ended: [] } });
});
