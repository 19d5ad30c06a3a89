/** How the real programs talk, cut down to what is read of it. */
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
  usage: ({ tokens = 0, cost = 0 }, when) => {
    if (when === 'ended') return { tokens, cost, source: 'result.usage' };
    return tokens === 0 ? undefined : { tokens, source: 'assistant.message.usage', isPartial: true };
  },
};

export const dialects: Readonly<Record<string, Dialect>> = { claude };
