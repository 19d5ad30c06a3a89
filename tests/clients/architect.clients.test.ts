/** A description becomes a plan by real agent programs: written where it belongs, refused for its faults in the same call, corrected. */
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

const fault = 'line 13: 1.1 has no scope';

/** The plan, its return; the plan without its fault, its return; a last word. */
function architect(request: ModelRequest): Step {
  const path = placeIn(request);
  const { results } = request;
  if (path === '' || results.some((text) => text.includes('Received.'))) return { does: 'say', text: 'Done.' };
  const last = results.at(-1);
  const isRefused = results.some((text) => text.includes(fault));
  if (last === undefined || last.includes(fault))
    return { does: 'write', path, text: isRefused ? goodPlan : goodPlan.replace('`src/1.1.txt`', '-') };
  return {
    does: 'return',
    result: { status: 'completed', path },
    words: JSON.stringify({ status: 'completed', path }),
  };
}

test.each<ClientName>(['claude', 'codex'])('%s makes a plan, and corrects it', async (client) => {
  api = await startModelApi(architect);
  const place = vendorProject(folder(), api.url, {
    config: `driver: ${client}\n`,
    tasks: { '1.1': ['fast', 'worker'] },
  });
  const { code, stdout } = await divisi(['plan', 'give the page a dark theme'], place);
  expect(api.faults).toEqual([]);
  expect(code).toBe(0);
  // Its faults were the answer to its call: neither a turn nor a repair was needed.
  expect(stdout).not.toContain('repair');
  expect(readdirSync(join(place.cwd, '.divisi/plans'))).toEqual([goodName]);
  expect(readFileSync(join(place.cwd, '.divisi/plans', goodName), 'utf8').trimEnd()).toBe(goodPlan.trimEnd());
});
