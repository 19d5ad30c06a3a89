import { describe, expect, it } from 'vitest';
import { after, oneShotTurn, turnEntries } from '../../../tests/support/one-shot-turn.ts';
import { claude, readMemory } from './claude.ts';
import type { OneShotTurn } from './one-shot.ts';

const argsOf = (turn: OneShotTurn): readonly string[] => claude.call(turn).args;

describe('how claude is called', () => {
  it('gets the prompt on its standard input, its schema without a dialect, its model and its conversation', () => {
    const returnSchema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
    const strength = { model: 'haiku', effort: 'low' };
    const turn = oneShotTurn({ strength, conversation: 'c1' }, { returnSchema });
    const { args, input } = claude.call(turn);
    expect(input).toBe('Do it.');
    expect(args.join(' ')).toBe(
      `-p --output-format stream-json --verbose --setting-sources user --append-system-prompt ${readMemory} --permission-mode acceptEdits --allowedTools Bash,WebFetch,WebSearch --strict-mcp-config --json-schema {"type":"object"} --model haiku --effort low --resume c1`,
    );
  });

  it('has no schema that is too long for an argument', () => {
    const returnSchema = { type: 'object', description: 'x'.repeat(100_000) };
    expect(argsOf(oneShotTurn({}, { returnSchema }))).not.toContain('--json-schema');
  });

  it.each([
    [['Read', 'Edit', 'Bash(git *)'], 'acceptEdits', 'Bash(git *)', 'Read,Edit,Bash'],
    [['Read', 'Grep'], 'dontAsk', undefined, 'Read,Grep'],
    [['Read', 'Bash(git log *)', 'Bash(git diff *)'], 'dontAsk', 'Bash(git log *),Bash(git diff *)', 'Read,Bash'],
    [[], 'dontAsk', undefined, ''],
  ])('has only the tools it may use: %j', (tools, mode, allowed, names) => {
    const args = argsOf(oneShotTurn({}, { tools }));
    expect(after(args, '--permission-mode')).toBe(mode);
    expect(after(args, '--allowedTools')).toBe(allowed);
    expect(after(args, '--tools')).toBe(names);
  });

  it('has other servers only when a tool of theirs is named', () => {
    const args = argsOf(oneShotTurn({}, { tools: ['Read', 'mcp__docs__find'] }));
    expect(args).not.toContain('--strict-mcp-config');
    expect(after(args, '--allowedTools')).toBe('mcp__docs__find');
    expect(after(args, '--tools')).toBe('Read');
  });

  it.each([
    [undefined, 'Bash', undefined],
    [['Read', 'Write', 'Edit(src/**)'], undefined, 'Read,Write,Edit'],
  ])('writes nothing but its own files as a reviewer: %j', (tools, allowed, names) => {
    const args = argsOf(oneShotTurn({ isReview: true }, tools === undefined ? {} : { tools }));
    const own = 'Edit(/.divisi/reports/r.md),Edit(/.divisi/worklogs/w.jsonl)';
    expect(after(args, '--permission-mode')).toBe('dontAsk');
    expect(after(args, '--allowedTools')).toBe(allowed === undefined ? own : `${allowed},${own}`);
    expect(after(args, '--tools')).toBe(names);
  });
});

const init = { type: 'system', subtype: 'init', session_id: 's1' };
const said = (id: string, text: string, more = {}): unknown => ({
  type: 'assistant',
  message: { id, content: [{ type: 'text', text }], usage: { input_tokens: 100, output_tokens: 1 } },
  parent_tool_use_id: null,
  session_id: 's1',
  ...more,
});
const result = (more: object): unknown => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  session_id: 's1',
  usage: { input_tokens: 100, output_tokens: 20 },
  total_cost_usd: 0.5,
  ...more,
});

describe('what claude tells', () => {
  it('is its conversation, its words, what it used so far, and its return', () => {
    const spent = {
      a: { inputTokens: 300, outputTokens: 40, cacheReadInputTokens: 5, costUSD: 0.25 },
      b: { inputTokens: 7, costUSD: 0.5 },
    };
    const told = turnEntries(claude, [
      init,
      said('m1', 'one'),
      said('m1', 'two'),
      said('m2', 'of a subagent', { parent_tool_use_id: 't' }),
      result({ result: 'two', model_usage_since_last_result: spent }),
    ]);
    const partial = { source: 'assistant.message.usage', isPartial: true };
    expect(told).toEqual([
      { kind: 'conversation', id: 's1' },
      { kind: 'said', text: 'one' },
      { kind: 'usage', text: '', usage: { tokens: 101, ...partial } },
      { kind: 'said', text: '\n\ntwo' },
      { kind: 'usage', text: '', usage: { tokens: 101, ...partial } },
      { kind: 'usage', text: '', usage: { tokens: 202, ...partial } },
      { kind: 'usage', text: '', usage: { tokens: 352, cost: 0.75, source: 'result.usage' } },
      { kind: 'returned', text: 'two' },
    ]);
  });

  it('is the structure it was held to, where it kept to it', () => {
    const told = turnEntries(claude, [result({ result: 'text', structured_output: { status: 'completed' } })]);
    expect(told.at(-1)).toEqual({ kind: 'returned', text: '{"status":"completed"}', via: 'schema' });
  });

  it('adds up what each of several results has used, and knows older ones', () => {
    const more = { result: 'x', model_usage_since_last_result: { a: { inputTokens: 10, costUSD: 1 } } };
    const usages = turnEntries(claude, [result(more), result(more), result({ result: 'x' })]).filter(
      ({ kind }) => kind === 'usage',
    );
    expect(usages).toMatchObject([
      { usage: { tokens: 10, cost: 1 } },
      { usage: { tokens: 20, cost: 2 } },
      { usage: { tokens: 140, cost: 2.5 } },
    ]);
  });

  const called = (id: string, tokens: number): unknown => ({
    type: 'assistant',
    message: { id, usage: { output_tokens: tokens }, content: [] },
  });
  const partOf = (tokens: number): unknown => ({
    kind: 'usage',
    text: '',
    usage: { tokens, source: 'assistant.message.usage', isPartial: true },
  });

  it('counts each of its calls once, and none that cannot be', () => {
    const lines = [
      called('a', 5),
      called('b', 7),
      called('a', 9),
      called('c', 1e300),
      called('c', 1),
      called('d', 0.5),
    ];
    expect(turnEntries(claude, lines)).toEqual([partOf(5), partOf(12), partOf(16), partOf(17)]);
  });

  it('takes no longer for a message because many were before it', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => called(`m${index}`, 1));
    expect(turnEntries(claude, lines).at(-1)).toEqual(partOf(100_000));
  });

  it('is an error in words and numbers, which its agent did not say', () => {
    const words = 'API Error: Request rejected (429) · This request would exceed your account rate limit.';
    const lines = [
      said('m1', words, { error: 'rate_limit', is_api_error_message: true, api_error_status: 429 }),
      result({
        is_error: true,
        api_error_status: 429,
        api_error_type: 'rate_limit_error',
        terminal_reason: 'api_error',
        result: words,
      }),
    ];
    const told = turnEntries(claude, lines);
    expect(told.map(({ kind }) => kind)).toEqual(['usage', 'error']);
    expect(told.at(-1)).toEqual({
      kind: 'error',
      text: `${words} · rate_limit · rate_limit_error · status 429 · api_error`,
    });
  });

  it('does not take the words of its agent for an error', () => {
    const lines = [
      said('m1', 'rate_limit'),
      result({ is_error: true, subtype: 'error_max_turns', result: 'rate_limit' }),
    ];
    expect(turnEntries(claude, lines).at(-1)).toEqual({ kind: 'error', text: 'error_max_turns', limit: 'turns' });
  });

  it.each([
    ['rejected', 1_800_000_000_000],
    ['allowed_warning', undefined],
    ['allowed', undefined],
  ])('is when a quota is there again: %s', (status, until) => {
    const limit = { type: 'rate_limit_event', rate_limit_info: { status, resetsAt: 1_800_000_000 } };
    const told = turnEntries(claude, [limit, result({ is_error: true, api_error: 'usage_limit_reached' })]);
    const last = told.at(-1);
    expect(last?.kind === 'error' && last.until).toBe(until);
  });

  it('is that it retries, and what it has refused', () => {
    const retry = {
      type: 'system',
      subtype: 'api_retry',
      attempt: 1,
      retry_delay_ms: 622,
      error_status: 529,
      error: 'overloaded',
    };
    const denied = {
      type: 'system',
      subtype: 'permission_denied',
      tool_name: 'Write',
      decision_reason: 'Path is outside',
    };
    expect(turnEntries(claude, [retry, denied])).toEqual([
      { kind: 'waits', text: '529 overloaded, attempt 1, retries in 622 ms', error: 'overloaded · status 529' },
      { kind: 'refused', asked: 'Write', why: 'Path is outside' },
    ]);
  });

  it('knows how it says that it has forgotten', () => {
    const errors = ['No conversation found with session ID: 11111111-1111-4111-8111-111111111111'];
    const [, told] = turnEntries(claude, [result({ is_error: true, subtype: 'error_during_execution', errors })]);
    expect(told?.kind === 'error' && claude.unusableConversation.test(told.text)).toBe(true);
  });
});
