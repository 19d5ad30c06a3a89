import { expect, it } from 'vitest';
import { stderrRetry, announcedRetry } from './announced-retry.ts';

const line = (value: unknown): string => JSON.stringify(value);
const retry = line({
  type: 'system',
  subtype: 'api_retry',
  attempt: 5,
  max_retries: 10,
  retry_delay_ms: 9284,
  error_status: 401,
  error: 'authentication_failed',
});
const said = line({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'Hello.' }] } });
const remark = line({ type: 'system', subtype: 'compact_boundary' });
const words = '401 authentication_failed, attempt 5 of 10, retries in 9.3 s';

it('is the last notice of a retry, until the client goes on', () => {
  expect(announcedRetry('claude', [said, retry])).toBe(words);
  expect(announcedRetry('claude', [retry, remark])).toBe(words);
  expect(announcedRetry('claude', [retry, said])).toBeUndefined();
  expect(announcedRetry('claude', [])).toBeUndefined();
});

it('is what Claude Code says through its adapter', () => {
  const params = { sessionId: 's', message: JSON.parse(retry) as unknown };
  expect(announcedRetry('acp', [line({ at: 1, from: { method: '_claude/sdkMessage', params } })])).toBe(words);
});

it.each([
  [
    'codex',
    line({ type: 'error', message: 'Reconnecting... 2/5 (unexpected status 429 Too Many Requests: slow, url: u)' }),
  ],
  [
    'acp',
    line({
      at: 1,
      from: {
        method: 'session/update',
        params: {
          update: {
            sessionUpdate: 'session_info_update',
            _meta: {
              codex: {
                error: {
                  message: 'Reconnecting... 2/5',
                  additionalDetails: 'unexpected status 429 Too Many Requests: slow, url: u',
                  willRetry: true,
                },
              },
            },
          },
        },
      },
    }),
  ],
])('is what Codex says (%s)', (dialect, notice) => {
  expect(announcedRetry(dialect, [notice])).toBe('429 Too Many Requests, attempt 2 of 5');
});

it('is what Copilot says among the words of its agent', () => {
  const text = 'Info: Request failed due to a transient API error. Retrying...';
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  expect(announcedRetry('acp', [line({ at: 1, from: { method: 'session/update', params: { update } } })])).toBe(text);
});

it.each([
  ['Attempt 2 failed with status 503. Retrying with backoff... _ApiError: {\n  at x\n}\n', '503, attempt 2'],
  [
    'noise\nAttempt 1 failed: The model is overloaded. Retrying after 5204ms...\n',
    'The model is overloaded, attempt 1, retries in 5.2 s',
  ],
  ['Attempt 3 failed with 429 error (no Retry-After header). Retrying with backoff...\n', '429, attempt 3'],
  ['Ripgrep is not available.\n', undefined],
])('is what Gemini CLI writes to standard error: %j', (stderr, expected) => {
  expect(stderrRetry(stderr)).toBe(expected);
});
