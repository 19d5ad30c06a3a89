/** Output of the real programs, reduced to what Divisi reads. */
import type { Dialect } from './one-shot-agents.ts';

const claude: Dialect = {
  speech: `
const used = (usage) => usage ? { usage: {}, model_usage_since_last_result: { m: { inputTokens: usage.tokens ?? 0, costUSD: usage.cost ?? 0 } } } : {};
const failed = (usage, status, words) => [
  { type: 'assistant', error: words, is_api_error_message: true, message: { content: [{ type: 'text', text: 'API Error' }] } },
  { type: 'result', subtype: 'success', is_error: true, api_error_status: status, result: 'API Error', terminal_reason: 'api_error', ...used(usage) },
];
return {
  resumes: (argv) => argv[argv.indexOf('--resume') + 1 || argv.length],
  begin: (id) => id ? [{ type: 'system', subtype: 'init', session_id: id }] : [],
  say: (text) => [{ type: 'assistant', parent_tool_use_id: null, message: { id: 'm1', content: [{ type: 'text', text }] } }],
  use: ({ tokens }) => [{ type: 'assistant', message: { id: 'm2', content: [], usage: { input_tokens: tokens } } }],
  ended: (text, usage) => [{ type: 'result', subtype: 'success', is_error: false, result: text, ...used(usage) }],
  failed: (usage) => failed(usage, 400, 'invalid_request'),
  quota: (seconds, usage) => [
    ...(seconds ? [{ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: Date.now() / 1000 + seconds } }] : []),
    ...failed(usage, 429, 'rate_limit'),
  ],
};`,
  usage: ({ tokens = 0, cost = 0 }, end) => {
    if (end !== 'cut-off') return { tokens, cost, source: 'result.usage' };
    return tokens === 0 ? undefined : { tokens, source: 'assistant.message.usage', isPartial: true };
  },
};

const codex: Dialect = {
  speech: `
const used = (usage) => usage ? { usage: { input_tokens: (usage.tokens ?? 0) * turn, output_tokens: 0 } } : {};
// It counts the tokens of all turns of a conversation.
let turn = 1;
const failed = (message) => [{ type: 'error', message }, { type: 'turn.failed', error: { message } }];
return {
  resumes: (argv) => {
    const id = argv[argv.indexOf('resume') + 1 || argv.length];
    if (id) turn = Number(id.split('_')[1]) + 2;
    return id;
  },
  begin: (id) => [
    ...(id ? [{ type: 'thread.started', thread_id: id }] : []),
    { type: 'item.completed', item: { id: 'item_0', type: 'error', message: 'Model metadata for \`m\` not found.' } },
    { type: 'turn.started' },
    { type: 'error', message: 'Reconnecting... 1/5 (unexpected status 429 Too Many Requests)' },
  ],
  say: (text) => [{ type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } }],
  use: () => [],
  ended: (text, usage) => [{ type: 'turn.completed', ...used(usage) }],
  failed: () => failed('{"error":{"message":"bad request","code":"invalid_request_error"}}'),
  quota: (seconds) => failed('You’ve hit your usage limit.' + (seconds ? ' Please try again in ' + seconds / 60 + ' minutes.' : '')),
};`,
  usage: ({ tokens = 0 }, end) => (end === 'returned' ? { tokens, source: 'turn.completed.usage' } : undefined),
};

const gemini: Dialect = {
  speech: `
const stats = (usage) => usage ? { stats: { total_tokens: usage.tokens ?? 0 } } : {};
const failed = (message, usage) => [{ type: 'result', status: 'error', error: { type: 'unknown', message }, ...stats(usage) }];
return {
  resumes: (argv) => argv[argv.indexOf('--resume') + 1 || argv.length],
  begin: (id) => [...(id ? [{ type: 'init', session_id: id }] : []), { type: 'message', role: 'user', content: prompt }],
  say: (text) => [...text].map((content) => ({ type: 'message', role: 'assistant', content, delta: true })),
  use: () => [],
  ended: (text, usage) => [{ type: 'result', status: 'success', ...stats(usage) }],
  failed: (usage) => failed('[API Error: {"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]', usage),
  quota: (seconds, usage) => failed('[API Error: Resource has been exhausted (RESOURCE_EXHAUSTED)' + (seconds ? ' Suggested retry after ' + seconds + 's.' : '') + ']', usage),
};`,
  usage: ({ tokens = 0 }, end) => (end === 'cut-off' ? undefined : { tokens, source: 'result.stats' }),
};

const opencode: Dialect = {
  speech: `
let sessionID;
const step = (reason, usage) => ({ type: 'step_finish', sessionID, part: { type: 'step-finish', reason, ...(usage ? { tokens: { total: usage.tokens ?? 0 }, cost: usage.cost ?? 0 } : {}) } });
const failed = (statusCode, responseHeaders) => [{ type: 'error', sessionID, error: { name: 'APIError', data: { message: 'no', statusCode, responseHeaders } } }];
return {
  resumes: (argv) => argv[argv.indexOf('--session') + 1 || argv.length],
  begin: (id) => {
    sessionID = id;
    return [{ type: 'step_start', sessionID, part: { type: 'step-start' } }];
  },
  say: (text) => [{ type: 'text', sessionID, part: { type: 'text', text } }],
  use: (usage) => [step('tool-calls', usage)],
  ended: (text, usage) => [step('stop', usage)],
  failed: () => failed(400, {}),
  quota: (seconds) => failed(429, seconds ? { 'retry-after': String(seconds) } : {}),
};`,
  usage: ({ tokens = 0, cost = 0 }, end) => {
    const known = { tokens, cost, source: 'step_finish' };
    return end === 'returned' ? known : { ...known, isPartial: true };
  },
};

export const dialects: Readonly<Record<string, Dialect>> = { claude, codex, gemini, opencode };
