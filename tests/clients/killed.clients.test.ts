/** After the orchestrator was killed: nothing keeps running, and its agents continue their conversations. */
import { afterEach, expect, test } from 'vitest';
import { startDivisi } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { type ModelApi, startModelApi } from './model-api/model-api.ts';
import { processesWith } from './processes.ts';
import type { ClientName } from './programs.ts';
import { broughtHome, taskOf, vendorProject, willing } from './vendor-project.ts';

const folder = temporaryFolders();
let api: ModelApi | undefined;
afterEach(() => api?.close());

const clients: readonly (readonly [ClientName, resumes: boolean])[] = [
  ['claude', true],
  ['codex', true],
  ['gemini', false],
  ['goose', true],
  ['copilot', true],
];

test.each(clients)('%s is ended with its orchestrator, and its conversation continues: %s', async (client, resumes) => {
  let isKilled = false;
  // It has written its file when it is interrupted.
  api = await startModelApi((request) => (request.turn === 1 && !isKilled ? { does: 'stall' } : willing(request)));
  const place = vendorProject(folder(), api.url, {
    // Somebody else reviews.
    config: `driver: ${client}\ntiers: { deep: goose }\n`,
    tasks: { '1.1': ['standard', 'worker'] },
  });
  const running = startDivisi(['run', 'plan.md'], place);
  await api.called(2);
  const [run = ''] = /run_\w+/.exec(running.stdout()) ?? [];
  expect(processesWith(`DIVISI_RUN=${run}`)).not.toEqual([]);
  running.kill('SIGKILL');
  await running.ended;
  isKilled = true;

  const before = api.requests.length;
  expect(await divisi(['resume', run], place)).toMatchObject({ code: 0, stderr: '' });
  expect(processesWith(`DIVISI_RUN=${run}`)).toEqual([]);
  expect(broughtHome(place.cwd, '1.1.txt')).toBe(`by ${client}`);
  const [request] = api.requests.slice(before).filter((one) => taskOf(one) === '1.1');
  expect((request?.turn ?? 0) > 0).toBe(resumes);
});
