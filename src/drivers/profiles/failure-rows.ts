/**
 * The errors of each program that are not failures of the task; see `failure-row.ts`. The words are those of the pinned versions,
 * one-shot and over ACP, where an error includes its code and data. Not listed, and so failures of the task: a full context, a
 * rejected request, a stalled stream.
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
const unwelcome = status(401, 402, 403);
/** ACP's code for a required log-in. */
const logIn = String.raw`(?<![\d-])-32000(?!\d)`;
const wrongKey = '(?:invalid|incorrect) (?:x-)?api[ -]key';
const unreachable = String.raw`\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ETIMEDOUT)\b`;

export const claudeFailures: readonly FailureRow[] = [
  row('environment', String.raw`\bbilling_error\b`, 'credit balance is too low'),
  row('environment', 'cannot be used with root/sudo privileges'),
  row(
    'quota',
    String.raw`\b(?:rate_limit|overloaded)(?:_error)?\b`,
    'usage_limit_reached',
    String.raw`\bserver_error\b`,
    limited,
  ),
  row('environment', String.raw`\bauthentication_(?:failed|error)\b`, 'oauth_org_not_allowed', 'please run /login'),
  row('environment', String.raw`\bconnection_failed\b`, 'unable to connect to API', 'authentication required', logIn),
  row('environment', unwelcome, unreachable),
];

export const codexFailures: readonly FailureRow[] = [
  row('quota', 'hit your usage limit', String.raw`\bquota exceeded\b`, 'usageLimitExceeded', 'usage_limit_reached'),
  row('quota', 'model is at capacity', 'experiencing high demand', 'server_?overloaded', limited),
  row('environment', unwelcome, 'not logged in', String.raw`\bunauthorized\b`, 'authentication required', logIn),
  row(
    'environment',
    'it could run no command: bwrap:',
    'missing environment variable',
    'waiting for network',
    'error sending request',
    unreachable,
  ),
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
  row('environment', 'API_KEY_INVALID', 'API key not valid', 'PERMISSION_DENIED', 'UNAUTHENTICATED', unwelcome, logIn),
  row('environment', 'set an auth method', 'authentication required', 'fetch failed sending request', unreachable),
];

export const opencodeFailures: readonly FailureRow[] = [
  row('environment', 'insufficient_quota', 'insufficient (?:balance|credits)', 'ProviderAuthError'),
  row('quota', limited, String.raw`\boverloaded(?:_error)?\b`, String.raw`\brate_limit(?:_error|_exceeded)?\b`),
  row('environment', unwelcome, wrongKey, 'authentication required', logIn, 'cannot connect to API', unreachable),
];

export const gooseFailures: readonly FailureRow[] = [
  row('environment', 'credits exhausted', 'insufficient_quota'),
  row('quota', 'rate limit exceeded', 'server error', String.raw`\boverloaded\b`, limited),
  row('environment', 'authentication (?:error|failed)', 'network error:', unwelcome, logIn, unreachable),
];

export const copilotFailures: readonly FailureRow[] = [
  row('quota', String.raw`\brate_limit(?:ed)?\b`, String.raw`\bquota(?:_exceeded)?\b`, limited),
  row(
    'environment',
    String.raw`errorType\W{1,6}authentication\b`,
    'authentication required',
    'not authenticated',
    'authentication failed',
  ),
  row('environment', unwelcome, logIn, unreachable),
];
