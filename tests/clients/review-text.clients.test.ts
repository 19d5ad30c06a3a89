/** A reviewer that may not write: Codex over ACP returns the text of its review, and Divisi writes the file. */
import { afterEach, expect, test } from 'vitest';
import { divisi } from '../support/divisi.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type ModelApi, startModelApi } from './model-api/model-api.ts';
import { vendorProject, willing } from './vendor-project.ts';

const folder = temporaryFolders();
let api: ModelApi | undefined;
afterEach(() => api?.close());

test('its review is kept as a file', async () => {
  api = await startModelApi(willing);
  const place = vendorProject(folder(), api.url, {
    config: 'driver: codex\n',
    tasks: { '1.1': ['standard', 'worker'] },
  });
  expect(await divisi(['run', 'plan.md'], place)).toMatchObject({ code: 0, stderr: '' });
  expect(api.faults).toEqual([]);
  expect((await divisi(['report', 'wave-1:review'], place)).stdout).toContain('All is well.');
  const { stdout: events } = await divisi(['events'], place);
  expect(events).not.toContain('return.refused');
  expect(events).not.toMatch(/permission\.answered.*refused/);
});
