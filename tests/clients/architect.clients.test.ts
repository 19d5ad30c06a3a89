/** A description becomes a plan by real agent programs: written where it belongs, sent back for its faults, corrected in the same conversation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { goodName, goodPlan } from '../architect/architect-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { type ModelApi, startModelApi } from './model-api/model-api.ts';
import type { ModelRequest, Step } from './model-api/script.ts';
import type { ClientName } from './programs.ts';
import { vendorProject } from './vendor-project.ts';

const folder = temporaryFolders();
let api: ModelApi | undefined;
afterEach(() => api?.close());

const wordsOf = ({ messages }: ModelRequest): string => messages.map(({ text }) => text).join('\n');
const placeIn = (request: ModelRequest): string => /Write it to (\S+) first/.exec(wordsOf(request))?.[1] ?? '';

/** Twice in one conversation: the plan, its return, a last word. */
function architect(request: ModelRequest): Step {
  const path = placeIn(request);
  const isAgain = wordsOf(request).includes('- line 13: 1.1 has no scope');
  if (path === '' || request.results.some((text) => text.includes('Received.'))) return { does: 'say', text: 'Done.' };
  const isWritten = request.results.length > 0;
  if (isWritten)
    return {
      does: 'return',
      result: { status: 'completed', path },
      words: JSON.stringify({ status: 'completed', path }),
    };
  return { does: 'write', path, text: isAgain ? goodPlan : goodPlan.replace('`src/1.1.txt`', '-') };
}

test.each<ClientName>(['claude', 'codex'])('%s makes a plan, and corrects it', async (client) => {
  api = await startModelApi(architect);
  const place = vendorProject(folder(), api.url, {
    config: `driver: ${client}\n`,
    tasks: { '1.1': ['fast', 'worker'] },
  });
  const { code, stdout } = await divisi(['plan', 'give the page a dark theme'], place);
  expect(api.faults).toEqual([]);
  expect(stdout).toContain('repair 1 of 2: line 13: 1.1 has no scope');
  expect(code).toBe(0);
  expect(readdirSync(join(place.cwd, '.divisi/plans'))).toEqual([goodName]);
  expect(readFileSync(join(place.cwd, '.divisi/plans', goodName), 'utf8').trimEnd()).toBe(goodPlan.trimEnd());
});
