/** `claude -p`: Claude Code for one turn. */
import { defined } from '../../base/defined.ts';
import type { JsonSchema } from '../../contracts/write/json-schema.ts';
import { mostUsage, trueUsage, usageFrom } from '../usage.ts';
import { type JsonObject, listOf, objectOf, textOrEmpty } from '../../base/json-value.ts';
import { count, paragraphs, wordsOf } from './fields.ts';
import type { OneShot, OneShotCall, OneShotTurn, Reader, Told } from './one-shot.ts';

export const claude: OneShot = {
  program: 'claude',
  returnWay: 'schema',
  resumesElsewhere: true,
  call,
  reader,
  forgotten: /No conversation found with session ID/,
};

/** One argument holds 128 KiB. */
const longestSchema = 100_000;

function call(turn: OneShotTurn): OneShotCall {
  const { task, strength, prompt, conversation, isReview } = turn;
  const schema = JSON.stringify(plainSchema(task.returnSchema));
  const args = [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    ...(isReview ? reviewing(turn) : working(turn)),
    // What the user's other servers could do, nobody has granted to this agent.
    ...(task.tools?.some((tool) => tool.startsWith('mcp__')) === true ? [] : ['--strict-mcp-config']),
    ...(schema.length > longestSchema ? [] : ['--json-schema', schema]),
    ...(strength.model === undefined ? [] : ['--model', strength.model]),
    ...(strength.effort === undefined ? [] : ['--effort', strength.effort]),
    ...(conversation === undefined ? [] : ['--resume', conversation]),
  ];
  const variables = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };
  return { args, variables, input: prompt };
}

/** What it may do in its folder without a rule, by its mode; a rule for all of it would reach beyond the folder. */
const editing = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);
const reading = new Set(['Glob', 'Grep', 'LS', 'NotebookRead', 'Read']);

/** Nobody is there to be asked: what would ask is refused, whatever the mode. `acceptEdits` edits inside its folder. */
function working({ task: { tools } }: OneShotTurn): string[] {
  const mayEdit = tools?.some((tool) => editing.has(nameOf(tool))) ?? true;
  const allowed = tools ?? ['Bash', 'WebFetch', 'WebSearch'];
  return ['--permission-mode', mayEdit ? 'acceptEdits' : 'dontAsk', ...allow(allowed), ...only(tools)];
}

/** It reads, runs commands, and writes its own two files. */
function reviewing({ task: { tools, reportPath, worklogPath } }: OneShotTurn): string[] {
  const usual = (tools ?? ['Bash']).filter((tool) => !editing.has(nameOf(tool)));
  const written = [reportPath, worklogPath].map((path) => `Edit(/${path})`);
  const all = tools === undefined ? undefined : [...tools, 'Write'];
  return ['--permission-mode', 'dontAsk', ...allow([...usual, ...written]), ...only(all)];
}

function allow(tools: readonly string[]): string[] {
  const ruled = tools.filter((tool) => !editing.has(tool) && !reading.has(tool));
  return ruled.length === 0 ? [] : ['--allowedTools', ruled.join(',')];
}

function nameOf(tool: string): string {
  return tool.replace(/\(.*$/s, '');
}

/** `Bash(git *)` limits what is allowed; which tools there are is said by their names alone. */
function only(tools: readonly string[] | undefined): string[] {
  if (tools === undefined) return [];
  const names = tools.map(nameOf).filter((name) => !name.startsWith('mcp__'));
  return ['--tools', [...new Set(names)].join(',')];
}

/** It refuses a schema that names its dialect. */
function plainSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

function reader(): Reader {
  const paragraph = paragraphs();
  const calls = callsSoFar();
  let spent: Spent = { tokens: 0, cost: 0 };
  let errors: string[] = [];
  let resets: number | undefined;

  const usage = (line: JsonObject): Told[] => {
    if (line['usage'] === undefined) return [];
    const more = spentBy(line);
    spent = { tokens: spent.tokens + more.tokens, cost: spent.cost + more.cost };
    const known = usageFrom(spent);
    return known === undefined ? [] : [{ kind: 'usage', usage: { ...known, source: 'result.usage' } }];
  };
  const assistant = (line: JsonObject): Told[] => {
    const message = objectOf(line['message']);
    const texts = listOf(message['content'])
      .map(objectOf)
      .map((part) => (part['type'] === 'text' ? textOrEmpty(part['text']) : ''));
    if (line['is_api_error_message'] === true || line['error'] !== undefined) {
      errors = [wordsOf(line['error'])];
      return [];
    }
    const used = calls(textOrEmpty(message['id']), tokensOf(message['usage']));
    const said = texts.filter((text) => text !== '' && line['parent_tool_use_id'] == null);
    return [...said.map((text): Told => ({ kind: 'said', text: paragraph(text) })), ...partial(used)];
  };
  const system = (line: JsonObject): Told[] => {
    const status = textOrEmpty(line['error']) || 'error';
    if (line['subtype'] === 'api_retry')
      return [{ kind: 'waits', why: `${status} ${String(line['error_status'])}, it retries` }];
    if (line['subtype'] !== 'permission_denied') return [];
    return [
      {
        kind: 'refused',
        asked: textOrEmpty(line['tool_name']),
        why: textOrEmpty(line['decision_reason']) || textOrEmpty(line['message']),
      },
    ];
  };
  const limit = (line: JsonObject): Told[] => {
    const info = objectOf(line['rate_limit_info']);
    const at = count(info['resetsAt']);
    if (at > 0 && info['status'] === 'rejected') resets = Math.round(at * 1000);
    return [];
  };
  const result = (line: JsonObject): Told[] => [
    ...usage(line),
    line['is_error'] === false && line['subtype'] === 'success' ? returned(line) : failed(line, errors, resets),
  ];

  return (value) => {
    const line = objectOf(value);
    const id = textOrEmpty(line['session_id']);
    // A conversation it has not found has an id as well.
    const isOne = id !== '' && line['type'] === 'system' && line['subtype'] === 'init';
    const told: Told[] = isOne ? [{ kind: 'conversation', id }] : [];
    if (line['type'] === 'assistant') told.push(...assistant(line));
    if (line['type'] === 'system') told.push(...system(line));
    if (line['type'] === 'rate_limit_event') told.push(...limit(line));
    if (line['type'] === 'result') told.push(...result(line));
    return told;
  };
}

function returned(line: JsonObject): Told {
  const structured = line['structured_output'];
  if (typeof structured !== 'object' || structured === null)
    return { kind: 'returned', text: textOrEmpty(line['result']) };
  return { kind: 'returned', text: JSON.stringify(structured), via: 'schema' };
}

function failed(line: JsonObject, errors: readonly string[], resets: number | undefined): Told {
  const status = typeof line['api_error_status'] === 'number' ? `status ${line['api_error_status']}` : '';
  const isItsOwn = status !== '' || line['api_error'] !== undefined || errors.length > 0;
  const list = Array.isArray(line['errors']) ? line['errors'] : [];
  const text = wordsOf(
    ...(isItsOwn ? [line['result']] : []),
    ...list,
    ...errors,
    line['api_error'],
    line['api_error_type'],
    status,
    line['terminal_reason'],
    ...(line['subtype'] === 'success' ? [] : [line['subtype']]),
  );
  return { kind: 'error', error: { text, ...defined({ until: resets }) } };
}

function tokensOf(usage: unknown): number {
  const given = objectOf(usage);
  const names = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];
  return sum(names.map((name) => count(given[name])));
}

interface Spent {
  readonly tokens: number;
  readonly cost: number;
}

/**
 * Each result says what was used since the one before, and with background agents there are several. Its `total_cost_usd` is
 * that of the whole conversation, the turns before a resumed one included.
 */
function spentBy(line: JsonObject): Spent {
  const models = line['model_usage_since_last_result'];
  if (models === undefined) return { tokens: tokensOf(line['usage']), cost: count(line['total_cost_usd']) };
  const each = Object.values(objectOf(models)).map(objectOf);
  const names = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'];
  const tokens = each.flatMap((model) => names.map((name) => count(model[name])));
  return { tokens: sum(tokens), cost: sum(each.map((model) => count(model['costUSD']))) };
}

/**
 * The tokens of all calls so far. A message comes in several lines, each with what its call has used until then. The sum is kept,
 * because there may be many; one that cannot be true stays within what sums hold exactly.
 */
function callsSoFar(): (message: string, tokens: number) => number {
  const used = new Map<string, number>();
  let total = 0;
  return (message, given) => {
    const tokens = Math.min(given, mostUsage + 1);
    total += tokens - (used.get(message) ?? 0);
    used.set(message, tokens);
    return total;
  };
}

/** Until its result, what its messages say: their output is not counted to its end. */
function partial(tokens: number): Told[] {
  const usage = trueUsage({ tokens, source: 'assistant.message.usage', isPartial: true });
  return tokens === 0 || usage === undefined ? [] : [{ kind: 'usage', usage }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
