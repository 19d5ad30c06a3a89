import { describe, expect, it } from 'vitest';
import { classify, type FailureRow } from './failure-row.ts';
import {
  claudeFailures,
  codexFailures,
  copilotFailures,
  geminiFailures,
  gooseFailures,
  opencodeFailures,
} from './failure-rows.ts';

const rows: Readonly<Record<string, readonly FailureRow[]>> = {
  claude: claudeFailures,
  codex: codexFailures,
  copilot: copilotFailures,
  gemini: geminiFailures,
  goose: gooseFailures,
  opencode: opencodeFailures,
};

const now = Date.parse('2026-05-01T12:00:00Z');

/** As the programs said it. */
const quota: [string, string][] = [
  ['claude', 'API Error: Request rejected (429) · This request would exceed your account rate limit. · rate_limit'],
  ['claude', 'You have hit your limit · usage_limit_reached · status 429 · api_error'],
  ['claude', 'API Error: 529 Overloaded. This is a server-side issue. · server_error · overloaded_error · status 529'],
  ['claude', '-32603 Internal error {"errorKind":"rate_limit"}'],
  ['claude', '-32603 Internal error {"errorKind":"server_error"}'],
  ['codex', 'exceeded retry limit, last status: 429 Too Many Requests'],
  ['codex', 'Reconnecting... 1/5 (unexpected status 429 Too Many Requests: slow down, url: http://127.0.0.1:1/v1)'],
  ['codex', 'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again later.'],
  ['codex', "You've hit your usage limit."],
  ['codex', 'Quota exceeded. Check your plan and billing details.'],
  ['codex', 'We’re currently experiencing high demand, which may cause temporary errors.'],
  ['codex', 'Reconnecting... 1/1 {"responseStreamDisconnected":{"httpStatusCode":429}}'],
  ['codex', 'Selected model is at capacity. Please try a different model.'],
  ['codex', 'unexpected status 503 Service Unavailable: Service unavailable, url: http://127.0.0.1:36911/v1/responses'],
  ['codex', '-32603 Internal error {"codexErrorInfo":"usageLimitExceeded"}'],
  [
    'gemini',
    '[API Error: Resource has been exhausted\nSuggested retry after 3600s.]\nPlease wait and try again later.',
  ],
  ['gemini', '[API Error: You have exhausted your daily quota on this model.]'],
  ['gemini', '[API Error: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]'],
  ['gemini', '{"code":429,"message":"Resource has been exhausted"}'],
  ['opencode', 'Rate limit · APIError · statusCode 429'],
  ['opencode', 'Service unavailable · APIError · statusCode 503'],
  ['opencode', '-32603 Internal error {"errorName":"APIError","statusCode":429}'],
  ['goose', 'Ran into this error: Rate limit exceeded: slow down.'],
  ['goose', 'Ran into this error: Server error: Server error (503 Service Unavailable)'],
  ['copilot', 'Sorry, you have hit a rate limit. · errorType: rate_limit · statusCode 429'],
  ['copilot', 'errorType: query · statusCode: 503'],
  ['copilot', 'Error: 429 Rate limit reached'],
  ['claude', "You've hit your 5-hour limit · resets 4:39am (UTC) · rate_limit · usage_limit_reached"],
];

const environment: [string, string][] = [
  ['claude', 'Credit balance is too low · billing_error · invalid_request_error · status 400 · api_error'],
  ['claude', 'API Error: Unable to connect to API (ConnectionRefused) · connection_failed'],
  ['claude', '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons'],
  ['codex', 'it could run no command: bwrap: Creating new namespace failed'],
  ['codex', 'Reconnecting... waiting for network'],
  ['gemini', '[API Error: {"error":{"code":403,"message":"no billing","status":"PERMISSION_DENIED"}}]'],
  ['gemini', '[API Error: exception TypeError: fetch failed sending request]'],
  ['opencode', 'Cannot connect to API: Unable to connect. · APIError'],
  ['goose', 'Ran into this error: Network error: Could not connect'],
];

const authentication: [string, string][] = [
  ['claude', 'Invalid API key · Fix external API key · authentication_failed · authentication_error · status 401'],
  ['claude', '-32000 Authentication required'],
  ['codex', 'unexpected status 401 Unauthorized: Incorrect API key provided, url: http://127.0.0.1:1/v1/responses'],
  ['codex', 'Missing environment variable: `OPENAI_API_KEY`.'],
  ['codex', '-32000 Authentication required'],
  [
    'gemini',
    '[API Error: {"error":{"code":400,"message":"API key not valid.","details":[{"reason":"API_KEY_INVALID"}]}}]',
  ],
  ['gemini', '[API Error: {"error":{"code":401,"message":"invalid credentials","status":"UNAUTHENTICATED"}}]'],
  ['opencode', 'Incorrect API key provided · APIError · statusCode 401'],
  ['goose', 'Ran into this error: Authentication error: bad key'],
  ['opencode', 'Internal error: invalid api key {"service":"session","errorName":"APIError"}'],
  ['copilot', 'Error: Authentication failed with provider at http://127.0.0.1:1 (HTTP 401)'],
  ['copilot', 'errorType: authentication · statusCode 401'],
];

const contextFull: [string, string][] = [
  [
    'claude',
    'Prompt is too long · the request is ~210000 tokens (limit 200000) · invalid_request · status 400 · prompt_too_long',
  ],
  ['codex', '{"error":{"message":"Your input exceeds the context window","code":"context_length_exceeded"}}'],
  ['codex', "Codex ran out of room in the model's context window. Start a new thread."],
  [
    'gemini',
    '[API Error: {"error":{"code":400,"message":"The input token count exceeds the maximum number of tokens allowed"}}]',
  ],
  ['opencode', 'too long · ContextOverflowError'],
  ['copilot', 'Error: The provider rejected the prompt as too long, but automatic recovery could not reduce it.'],
  ['goose', 'Ran into this error: Context length exceeded'],
];

const refused: [string, string][] = [
  ['claude', 'API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy'],
  ['claude', "API Error: Sonnet 5.5's safeguards flagged this message · invalid_request · api_error"],
  ['gemini', 'The model response was blocked due to safety settings.'],
  ['opencode', 'it stopped: content-filter'],
  ['codex', 'Incomplete response returned, reason: content_filter'],
];

const task: [string, string][] = [
  ['claude', 'error_max_turns'],
  ['claude', 'No conversation found with session ID: 11111111-1111-4111-8111-111111111111'],
  ['claude', 'API Error: 400 messages.4290: bad'],
  ['codex', 'stream disconnected before completion: idle timeout waiting for SSE'],
  ['codex', 'Error: thread/resume failed: no rollout found for thread id 01a1e245 (code -32600)'],
  ['opencode', 'bad request · APIError · statusCode 400'],
  ['opencode', 'it stopped: length'],
  ['copilot', 'errorType: query · statusCode: 400'],
  ['copilot', 'Error: 400 bad thing'],
];

function causeOf(profile: string, text: string): string {
  return classify(rows[profile] ?? [], { text }, now).cause;
}

describe('what a program says when it cannot continue', () => {
  it.each(quota)('%s has met a limit: %s', (profile, text) => {
    expect(causeOf(profile, text)).toBe('quota');
  });

  it.each(environment)('%s needs a person: %s', (profile, text) => {
    expect(causeOf(profile, text)).toBe('environment');
  });

  it.each(authentication)('%s needs a key or a log-in: %s', (profile, text) => {
    expect(causeOf(profile, text)).toBe('authentication');
  });

  it.each(contextFull)('%s has more to read than fits: %s', (profile, text) => {
    expect(causeOf(profile, text)).toBe('context-full');
  });

  it.each(refused)('%s is not answered: %s', (profile, text) => {
    expect(causeOf(profile, text)).toBe('refusal');
  });

  it.each(task)('%s has failed at the task: %s', (profile, text) => {
    expect(causeOf(profile, text)).toBe('exit');
  });

  it('is there again at the time that the program knows, else at the one in its words', () => {
    const text = '[API Error: Resource has been exhausted\nSuggested retry after 3600s.]';
    const [given, told] = [now + 5000, now + 3_600_000];
    expect(classify(geminiFailures, { text, until: given }, now)).toEqual({ cause: 'quota', until: given });
    expect(classify(geminiFailures, { text }, now)).toEqual({ cause: 'quota', until: told });
    const words = 'You’ve hit your usage limit. Please try again in 2 hours.';
    expect(classify(codexFailures, { text: words }, now)).toEqual({ cause: 'quota', until: now + 7_200_000 });
  });

  it.each([now - 1000, now + 9 * 24 * 3_600_000])('is not there again at a time that cannot be: %d', (until) => {
    expect(classify(claudeFailures, { text: 'rate_limit', until }, now)).toEqual({ cause: 'quota' });
  });

  it('has a time only for a quota', () => {
    expect(classify(claudeFailures, { text: 'authentication_failed', until: now + 1 }, now)).toEqual({
      cause: 'authentication',
    });
  });
});
