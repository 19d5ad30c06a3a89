/** How real clients fail: rejected keys end a turn at once, retries are reported, and an empty answer is named as one. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readTranscriptEnd } from '../../src/drivers/transcript/read-transcript-end.ts';
import { announcedRetry } from '../../src/views/transcript/announced-retry.ts';
import { drive, type Driven, type Ground, groundFor } from './drive.ts';
import { type ClientFacts, oneShots, overAcp } from './facts.ts';
import type { Script, Step } from './model-api/script.ts';

const rejected: Step = { does: 'fail', status: 401, message: 'invalid x-api-key' };
const overflow: Step = {
  does: 'fail',
  status: 400,
  body: {
    error: {
      message: "This model's maximum context length is 128000 tokens.",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  },
};

const factsOf = (client: string, way: string): ClientFacts => {
  const found = [...overAcp, ...oneShots].find((one) => one.client === client && one.way === way);
  if (found === undefined) throw new Error(`${client} by ${way} is unknown`);
  return found;
};

/** As users have it: the tests otherwise cut its retries. */
const tenRetries = { CLAUDE_CODE_MAX_RETRIES: '10' };

describe.each([
  ['claude', 'one-shot'],
  ['claude', 'acp'],
  ['codex', 'one-shot'],
  ['codex', 'acp'],
  ['gemini', 'one-shot'],
  ['opencode', 'one-shot'],
  ['opencode', 'acp'],
] as const)('%s by %s', (client, way) => {
  const facts = factsOf(client, way);
  let ground: Ground;
  let open: Driven[] = [];
  beforeAll(() => {
    ground = groundFor(facts);
  });
  afterEach(async () => {
    await Promise.all(open.map(({ close }) => close()));
    open = [];
  });
  afterAll(() => ground.clear());
  const begin = async (script: Script): Promise<Driven> => {
    const driven = await drive(facts, ground, script, client === 'claude' ? { variables: tenRetries } : {});
    open.push(driven);
    return driven;
  };

  const isOpenCode = client === 'opencode';
  it.skipIf(isOpenCode)('ends at the first report of a rejected key, and says what to set', async () => {
    const { first, api } = await begin(() => rejected);
    expect(await first).toMatchObject({
      end: 'failed',
      cause: 'authentication',
      message: expect.stringMatching(/401|Authentication required|invalid x-api-key/),
    });
    expect(await first).toMatchObject({ message: expect.stringMatching(/log in|login|key/) });
    // Ten retries would take three minutes.
    expect(api.requests.length).toBeLessThanOrEqual(3);
  });

  it.skipIf(client === 'gemini' || isOpenCode)('says in its transcript what it waits for', async () => {
    const { first, abort, task } = await begin(() => ({ does: 'fail', status: 503, message: 'overloaded' }));
    const waits = async (): Promise<string | undefined> => {
      const end = await readTranscriptEnd(task.transcript);
      return end === undefined ? undefined : announcedRetry(end.dialect, end.lines);
    };
    await expect.poll(waits, { timeout: 60_000, interval: 10 }).toMatch(/^503 .*, attempt 1 of \d+/);
    abort('at-once');
    await first;
  });

  it.skipIf(!isOpenCode)('is ended when its context overflows after each compaction', async () => {
    const { first, api } = await begin(({ tools }) =>
      tools.length === 0 ? { does: 'say', text: 'A summary.' } : overflow,
    );
    // Over ACP it reports its calls alone, not why they fail.
    expect(await first).toMatchObject({ end: 'failed', cause: way === 'acp' ? 'limit' : 'context-full' });
    expect(api.requests.length).toBeLessThan(way === 'acp' ? 80 : 12);
  });

  it.skipIf(isOpenCode)('is declined, or answers nothing: neither is an invalid return', async () => {
    const { first } = await begin(() => ({ does: 'refuse' }));
    const turn = await first;
    const how = turn.end === 'returned' ? `returned ${JSON.stringify(turn.text)}` : turn.end === 'failed' && turn.cause;
    expect(['refusal', 'returned ""']).toContain(how);
  });
});
