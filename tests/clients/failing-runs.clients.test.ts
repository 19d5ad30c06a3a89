/** Runs whose model does not answer: what a person sees while the client retries, and what is asked when it has given up. */
import { afterEach, describe, expect, it } from 'vitest';
import { divisi } from '../support/divisi.ts';
import { startDivisi } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type ModelApi, startModelApi } from './model-api/model-api.ts';
import type { Script, Step } from './model-api/script.ts';
import { vendorOf, vendorProject } from './vendor-project.ts';

const folder = temporaryFolders();
let api: ModelApi | undefined;
afterEach(() => api?.close());

type Place = ReturnType<typeof vendorProject>;

/** A stronger tier would be another program, so that an escalation shows. */
async function placeFor(client: string, way: string, script: Script): Promise<Place> {
  api = await startModelApi(script);
  const [driver, drivers] =
    way === 'acp' ? [client, ''] : ['one', `drivers: { one: { kind: one-shot, profile: ${client} } }\n`];
  const other = client === 'goose' ? 'claude' : 'goose';
  return vendorProject(folder(), api.url, {
    config: `driver: ${driver}\ntiers: { deep: ${other} }\n${drivers}`,
    tasks: { '1.1': ['standard', 'worker'] },
  });
}

describe.each([
  ['claude', 'one-shot'],
  ['claude', 'acp'],
  ['codex', 'one-shot'],
  ['codex', 'acp'],
] as const)('%s by %s', (client, way) => {
  it('is shown as waiting, with the error and the attempt, while it retries', async () => {
    const place = await placeFor(client, way, () => ({ does: 'fail', status: 503, message: 'overloaded' }));
    const variables = { ...place.variables, CLAUDE_CODE_MAX_RETRIES: '10' };
    const running = startDivisi(['run', 'plan.md'], { ...place, variables });
    const status = async (): Promise<string> => (await divisi(['status'], place)).stdout;
    await expect.poll(status, { timeout: 60_000 }).toMatch(/waits: 503 .*, attempt \d+ of \d+/);
    await divisi(['cancel'], place);
    await running.ended;
  });
});

const overflow: Step = {
  does: 'fail',
  status: 400,
  body: {
    type: 'error',
    error: {
      message: "prompt is too long: this model's maximum context length is 128000 tokens.",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  },
};

const silent = 'answered nothing, changed nothing';

describe.each([
  ['claude', 'one-shot'],
  ['claude', 'acp'],
  ['codex', 'one-shot'],
  ['codex', 'acp'],
  ['gemini', 'acp'],
  ['goose', 'acp'],
  ['copilot', 'acp'],
] as const)('%s by %s asks a person, and nobody dearer', (client, way) => {
  it.each([
    ['a safety stop', { does: 'refuse' }, silent],
    ['a full context', overflow, 'context-full'],
  ] as const)('after %s', async (_, step, words) => {
    const place = await placeFor(client, way, ({ tools }) =>
      tools.length === 0 ? { does: 'say', text: 'A summary.' } : step,
    );
    const { code, stdout } = await divisi(['run', 'plan.md'], place);
    // Goose compacts, meets the limit again and ends its turn without a word.
    expect(stdout).toContain(client === 'goose' ? silent : words);
    expect(stdout).toContain('give it an agent whose `driver` is of another vendor');
    expect(stdout).not.toMatch(/accept the work|contract-violation/);
    expect(code).toBe(5);
    expect([...new Set(api?.requests.map(vendorOf))]).toEqual([client]);
  });
});
