/** Reads the lines of `claude -p --output-format stream-json`. */
import { listAt, numberAt, textAt, valueAt } from '../base/json-value.ts';
import { count, errorWords, firstLine, joined, textIn } from './values.ts';
import { defined } from '../base/defined.ts';
import { mostUsage, usageFrom } from './usage.ts';
import type { LimitName } from '../base/delegation-limits.ts';
import type { Entry, EntryReader } from './entry.ts';
import { mainArgument } from './main-argument.ts';
import { timed } from './timed.ts';
import { turnUsageText } from './usage-text.ts';
import { waitText } from './wait-text.ts';

export function claudeReader(): EntryReader {
  const tools = new Map<string, { readonly name: string; readonly argument: string }>();
  const tokensSoFar = tokenCounter();
  let directory = '';
  let spent: Spent = { tokens: 0, cost: 0 };
  /** The API error of the last message that was one. */
  let apiError: string | undefined;
  let resets: number | undefined;
  /** The last message of the agent itself. */
  let current = '';

  function block(one: unknown, nested: boolean): Entry[] {
    switch (textAt(one, 'type')) {
      case 'text': {
        const text = textAt(one, 'text');
        return text === '' ? [] : [{ kind: 'said', text, ...(nested ? { nested } : {}) }];
      }
      case 'thinking':
        return [{ kind: 'thought', text: textAt(one, 'thinking') }];
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use': {
        const id = textAt(one, 'id');
        const tool = { name: textAt(one, 'name'), argument: mainArgument(valueAt(one, 'input'), directory) };
        tools.set(id, tool);
        return [{ kind: 'tool', id, ...tool }];
      }
      case 'tool_result': {
        const id = textAt(one, 'tool_use_id');
        const { name, argument } = tools.get(id) ?? { name: 'tool', argument: '' };
        tools.delete(id);
        const failed = valueAt(one, 'is_error') === true;
        const detail = failed ? firstLine(textIn(valueAt(one, 'content'))) : '';
        return [{ kind: 'tool-ended', id, name, argument, failed, detail }];
      }
      default:
        return [];
    }
  }

  function assistant(line: unknown): Entry[] {
    const message = valueAt(line, 'message');
    const content = listAt(message, 'content');
    if (valueAt(line, 'is_api_error_message') === true || valueAt(line, 'error') !== undefined) {
      apiError = textAt(line, 'error');
      // These are the client's words. The result repeats them.
      return [{ kind: 'note', text: joined(' · ', textIn(content), apiError) }];
    }
    const id = textAt(message, 'id');
    const tokens = tokensSoFar(id, tokensIn(valueAt(message, 'usage')));
    const nested = valueAt(line, 'parent_tool_use_id') != null;
    const begun: Entry[] = nested || id === '' || id === current ? [] : [{ kind: 'answer-begun' }];
    if (!nested) current = id;
    return [...begun, ...content.flatMap((one) => block(one, nested)), ...interimUsage(tokens)];
  }

  function rateLimit(info: unknown): Entry[] {
    const status = textAt(info, 'status');
    const seconds = numberAt(info, 'resetsAt') ?? 0;
    const until = seconds > 0 && seconds < 1e11 ? Math.round(seconds * 1000) : undefined;
    if (status === 'rejected' && until !== undefined) resets = until;
    if (status === '' || status === 'allowed') return [];
    const text = `rate limit: ${status}${until === undefined ? '' : `, until ${new Date(until).toISOString()}`}`;
    return [{ kind: status === 'allowed_warning' ? 'note' : 'waits', text }];
  }

  function result(line: unknown): Entry[] {
    const denied = listAt(line, 'permission_denials').map((one): Entry => ({
      kind: 'note',
      text: `${textAt(one, 'tool_name')} was not permitted`,
    }));
    const isDone = valueAt(line, 'is_error') === false && textAt(line, 'subtype') === 'success';
    return [...usage(line), ...denied, isDone ? returned(line) : failed(line, apiError, resets)];
  }

  function usage(line: unknown): Entry[] {
    if (valueAt(line, 'usage') === undefined) return [];
    const more = spentBy(line);
    spent = { tokens: spent.tokens + more.tokens, cost: spent.cost + more.cost };
    const known = usageFrom(spent);
    const text = turnUsageText({
      input: numberAt(line, 'usage', 'input_tokens'),
      cached: numberAt(line, 'usage', 'cache_read_input_tokens'),
      output: numberAt(line, 'usage', 'output_tokens'),
      cost: numberAt(line, 'total_cost_usd'),
    });
    return [{ kind: 'usage', text, ...(known && { usage: { ...known, source: 'result.usage' } }) }];
  }

  return timed((line) => {
    switch (textAt(line, 'type')) {
      case 'system':
        if (textAt(line, 'subtype') === 'init') directory = textAt(line, 'cwd') || directory;
        return system(line);
      case 'assistant':
        return assistant(line);
      case 'user':
        return listAt(line, 'message', 'content')
          .flatMap((one) => block(one, false))
          .filter(({ kind }) => kind === 'tool-ended');
      case 'rate_limit_event':
        return rateLimit(valueAt(line, 'rate_limit_info'));
      case 'result':
        return result(line);
      default:
        return [];
    }
  });
}

function system(line: unknown): Entry[] {
  switch (textAt(line, 'subtype')) {
    case 'init': {
      // Only this line: a conversation that was not found has an id as well.
      const id = textAt(line, 'session_id');
      const client = `claude ${textAt(line, 'claude_code_version')}`.trimEnd();
      const text = joined(', ', client, textAt(line, 'model'), textAt(line, 'permissionMode'));
      return [...(id === '' ? [] : [{ kind: 'conversation', id } as const]), { kind: 'note', text }];
    }
    case 'api_retry':
      return [{ kind: 'waits', text: retryText(line), error: retryError(line) }];
    case 'permission_denied': {
      const why = textAt(line, 'decision_reason') || textAt(line, 'message');
      return [{ kind: 'refused', asked: textAt(line, 'tool_name'), why }];
    }
    case 'compact_boundary':
      return [{ kind: 'note', text: 'the conversation was compacted' }];
    default:
      return [];
  }
}

function retryText(line: unknown): string {
  return waitText({
    status: textAt(line, 'error_status'),
    error: textAt(line, 'error'),
    attempt: textAt(line, 'attempt'),
    of: textAt(line, 'max_retries'),
    delay: numberAt(line, 'retry_delay_ms'),
  });
}

function retryError(line: unknown): string {
  const status = textAt(line, 'error_status');
  return joined(' · ', textAt(line, 'error') || 'error', status === '' ? '' : `status ${status}`);
}

function returned(line: unknown): Entry {
  const structured = valueAt(line, 'structured_output');
  if (typeof structured !== 'object' || structured === null) return { kind: 'returned', text: textAt(line, 'result') };
  return { kind: 'returned', text: JSON.stringify(structured), via: 'schema' };
}

/** `--max-turns` and `--max-budget-usd`. */
const limits: Readonly<Record<string, LimitName>> = { error_max_turns: 'turns', error_max_budget_usd: 'cost' };

/** The result text is an error of the client only beside another sign of one; otherwise it is the agent's. */
function failed(line: unknown, apiError: string | undefined, until: number | undefined): Entry {
  const code = numberAt(line, 'api_error_status');
  const isClients = code !== undefined || valueAt(line, 'api_error') !== undefined || apiError !== undefined;
  const text = errorWords(
    isClients ? valueAt(line, 'result') : undefined,
    ...listAt(line, 'errors'),
    apiError,
    valueAt(line, 'api_error'),
    valueAt(line, 'api_error_type'),
    code === undefined ? undefined : `status ${code}`,
    valueAt(line, 'terminal_reason'),
    textAt(line, 'subtype') === 'success' ? undefined : valueAt(line, 'subtype'),
  );
  return { kind: 'error', text, ...defined({ until, limit: limits[textAt(line, 'subtype')] }) };
}

function tokensIn(usage: unknown): number {
  const names = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];
  return sum(names.map((name) => count(valueAt(usage, name))));
}

interface Spent {
  readonly tokens: number;
  readonly cost: number;
}

/**
 * Each result counts from the one before; background agents cause several. Its `total_cost_usd` covers the whole
 * conversation, including the turns before a resumed one.
 */
function spentBy(line: unknown): Spent {
  const models = valueAt(line, 'model_usage_since_last_result');
  if (models === undefined)
    return { tokens: tokensIn(valueAt(line, 'usage')), cost: count(valueAt(line, 'total_cost_usd')) };
  const each: unknown[] = typeof models === 'object' && models !== null ? Object.values(models) : [];
  const names = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'];
  const tokens = each.flatMap((model) => names.map((name) => count(valueAt(model, name))));
  return { tokens: sum(tokens), cost: sum(each.map((model) => count(valueAt(model, 'costUSD')))) };
}

/**
 * Counts the tokens of all model calls so far. A message arrives in several lines, each with the count of its call until then.
 * Keeps a running sum because there may be many; an impossible count is capped, which keeps sums exact.
 */
function tokenCounter(): (message: string, tokens: number) => number {
  const used = new Map<string, number>();
  let total = 0;
  return (message, given) => {
    const tokens = Math.min(given, mostUsage + 1);
    total += tokens - (used.get(message) ?? 0);
    used.set(message, tokens);
    return total;
  };
}

/** Messages do not count their output to its end: the count is partial until the result. */
function interimUsage(tokens: number): Entry[] {
  if (tokens === 0 || tokens > mostUsage || !Number.isInteger(tokens)) return [];
  return [{ kind: 'usage', text: '', usage: { tokens, source: 'assistant.message.usage', isPartial: true } }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
