/**
 * The errors of each program that are not failures of the task; see `failure-row.ts`. The words are those of the pinned versions,
 * one-shot and over ACP, where an error includes its code and data. Not listed, and so failures of the task: a rejected request, a
 * stalled stream.
 */
import type { FailureRow } from './failure-row.ts';

/** An HTTP status as programs write it: `status 429`, `statusCode":503`, `API Error: 529`, `rejected (429)`. */
function status(...codes: readonly number[]): string {
  return String.raw`(?:status|code|error|rejected|http)\W{1,6}(?:${codes.join('|')})(?!\d)`;
}

function row(cause: FailureRow['cause'], ...words: readonly string[]): FailureRow {
  return { match: new RegExp(words.join('|'), 'iu'), cause };
}

const limited = status(429, 503, 529);
/** 402: payment required. */
const unpaid = status(402);
const unwelcome = status(401, 403);
/** ACP's code for a required log-in. */
const logIn = String.raw`(?<![\d-])-32000(?!\d)`;
const wrongKey = '(?:invalid|incorrect) (?:x-)?api[ -]key';
const unreachable = String.raw`\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ETIMEDOUT)\b`;

/** Providers say it in their own words, which every program repeats. */
const contextFull = row(
  'context-full',
  'context_length_exceeded',
  String.raw`\bprompt_too_long\b`,
  'prompt (?:is|as) too long',
  'ContextOverflowError',
  'context length exceeded',
  "ran out of room in the model's context window",
  'exceeds the (?:context window|maximum number of tokens)',
  'maximum context length is',
);
const refusal = row(
  'refusal',
  String.raw`\bcontent[_-]filter\b`,
  'safeguards flagged this message',
  'violate our Usage Policy',
  'blocked due to safety settings',
  'ContentFilterError',
  String.raw`stop_reason\W{1,6}refusal\b`,
  String.raw`\b(?:SAFETY|PROHIBITED_CONTENT|BLOCKLIST)\b`,
);
const noAnswer = row(
  'no-answer',
  'the model returned an empty response',
  'no response was returned',
  'Model stream ended with empty response text',
  'empty response or malformed tool call',
);

export const claudeFailures: readonly FailureRow[] = [
  row('environment', String.raw`\bbilling_error\b`, 'credit balance is too low', unpaid),
  row('environment', 'cannot be used with root/sudo privileges'),
  row(
    'quota',
    String.raw`\b(?:rate_limit|overloaded)(?:_error)?\b`,
    'usage_limit_reached',
    String.raw`\bserver_error\b`,
    limited,
  ),
  row('authentication', String.raw`\bauthentication_(?:failed|error)\b`, 'oauth_org_not_allowed', 'please run /login'),
  row('authentication', 'authentication required', logIn, unwelcome),
  row('environment', String.raw`\bconnection_failed\b`, 'unable to connect to API', unreachable),
  contextFull,
  refusal,
  noAnswer,
];

export const codexFailures: readonly FailureRow[] = [
  row('quota', 'hit your usage limit', String.raw`\bquota exceeded\b`, 'usageLimitExceeded', 'usage_limit_reached'),
  row('quota', 'model is at capacity', 'experiencing high demand', 'server_?overloaded', limited),
  row('environment', unpaid),
  row('authentication', unwelcome, 'not logged in', String.raw`\bunauthorized\b`, 'authentication required', logIn),
  row('authentication', 'missing environment variable'),
  row('environment', 'it could run no command: bwrap:', 'waiting for network', 'error sending request', unreachable),
  contextFull,
  refusal,
  noAnswer,
];

export const geminiFailures: readonly FailureRow[] = [
  row(
    'quota',
    'exhausted your (?:daily quota|capacity)',
    'RESOURCE_EXHAUSTED',
    'suggested retry after',
    'quota exceeded',
  ),
  row('quota', 'model is overloaded', limited),
  row('environment', unpaid, 'no billing'),
  row('authentication', 'API_KEY_INVALID', 'API key not valid', 'PERMISSION_DENIED', 'UNAUTHENTICATED', unwelcome),
  row('authentication', logIn, 'set an auth method', 'authentication required'),
  row('environment', 'fetch failed sending request', unreachable),
  contextFull,
  refusal,
  noAnswer,
];

export const opencodeFailures: readonly FailureRow[] = [
  row('environment', 'insufficient_quota', 'insufficient (?:balance|credits)', unpaid),
  row('quota', limited, String.raw`\boverloaded(?:_error)?\b`, String.raw`\brate_limit(?:_error|_exceeded)?\b`),
  row('authentication', 'ProviderAuthError', unwelcome, wrongKey, 'authentication required', logIn),
  row('environment', 'cannot connect to API', unreachable),
  contextFull,
  refusal,
  noAnswer,
];

export const gooseFailures: readonly FailureRow[] = [
  row('environment', 'credits exhausted', 'insufficient_quota', unpaid),
  row('quota', 'rate limit exceeded', 'server error', String.raw`\boverloaded\b`, limited),
  row('authentication', 'authentication (?:error|failed)', 'authentication required', unwelcome, logIn),
  row('environment', 'network error:', unreachable),
  contextFull,
  refusal,
  noAnswer,
];

export const copilotFailures: readonly FailureRow[] = [
  row('quota', String.raw`\brate_limit(?:ed)?\b`, String.raw`\bquota(?:_exceeded)?\b`, limited),
  row('environment', unpaid),
  row(
    'authentication',
    String.raw`errorType\W{1,6}authentication\b`,
    'authentication required',
    'not authenticated',
    'authentication failed',
  ),
  row('authentication', unwelcome, logIn),
  row('environment', unreachable),
  contextFull,
  refusal,
  noAnswer,
];
