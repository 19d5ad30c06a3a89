import { describe, expect, it } from 'vitest';
import { oneShotTurn, turnEntries } from '../../../tests/support/one-shot-turn.ts';
import { opencode } from './opencode.ts';
import type { OneShotTurn } from './one-shot.ts';

function configOf(turn: OneShotTurn): Record<string, unknown> {
  return JSON.parse(opencode.call(turn).variables?.['OPENCODE_CONFIG_CONTENT'] ?? '') as Record<string, unknown>;
}

const confined = { external_directory: 'deny', question: 'deny' };

describe('how opencode is called', () => {
  it('gets its prompt on its standard input, its model and its conversation', () => {
    const { args, input } = opencode.call(
      oneShotTurn({ strength: { model: 'a/b', effort: 'high' }, conversation: 'ses_1' }),
    );
    expect(input).toBe('Do it.');
    expect(args).toEqual(['run', '--format', 'json', '--model', 'a/b', '--variant', 'high', '--session', 'ses_1']);
  });

  it('asks for no title, and works nowhere else', () => {
    const agent = { title: { disable: true } };
    expect(configOf(oneShotTurn())).toEqual({ share: 'disabled', autoupdate: false, agent, permission: confined });
  });

  it('keeps what the environment of the user says', () => {
    const own = {
      model: 'a/b',
      agent: { title: { model: 'c' }, build: {} },
      permission: { bash: 'deny', external_directory: 'allow' },
    };
    const environment = { OPENCODE_CONFIG_CONTENT: JSON.stringify(own) };
    expect(configOf(oneShotTurn({ environment }))).toMatchObject({
      model: 'a/b',
      agent: { title: { model: 'c', disable: true }, build: {} },
      permission: { bash: 'deny', ...confined },
    });
  });

  it.each([['no JSON'], ['[]'], ['null']])('makes nothing of settings that are none: %s', (given) => {
    const environment = { OPENCODE_CONFIG_CONTENT: given };
    expect(configOf(oneShotTurn({ environment }))).toMatchObject({ permission: confined });
  });

  it.each<[string, Partial<OneShotTurn>, object, Record<string, unknown>]>([
    ['its tools', {}, { tools: ['read', 'write'] }, { '*': 'deny', read: 'allow', edit: 'allow', ...confined }],
    [
      'another’s tools',
      {},
      { tools: ['Read', 'Write', 'Edit', 'Bash(git *)'] },
      { '*': 'deny', read: 'allow', edit: 'allow', ...confined },
    ],
    ['no tools', {}, { tools: [] }, { '*': 'deny', ...confined }],
    [
      'its own files',
      { isReview: true },
      {},
      { edit: { '*': 'deny', '.divisi/reports/r.md': 'allow', '.divisi/worklogs/w.jsonl': 'allow' }, ...confined },
    ],
    [
      'what the user has forbidden',
      { environment: { OPENCODE_CONFIG_CONTENT: '{"permission":{"bash":{"rm *":"deny"}}}' } },
      { tools: ['bash'] },
      { bash: { 'rm *': 'deny' }, '*': 'deny', ...confined },
    ],
    ['one word', { environment: { OPENCODE_CONFIG_CONTENT: '{"permission":"ask"}' } }, {}, { '*': 'ask', ...confined }],
  ])('is limited to %s', (_, own, task, permission) => {
    expect(configOf(oneShotTurn(own, task))['permission']).toEqual(permission);
  });
});

const sessionID = 'ses_1';
const begins = { type: 'step_start', sessionID, part: { type: 'step-start' } };
const says = (text: string): unknown => ({ type: 'text', sessionID, part: { type: 'text', text } });
const ends = (reason: string): unknown => {
  const tokens = { total: 120, input: 100, output: 20, reasoning: 0, cache: { write: 0, read: 0 } };
  return { type: 'step_finish', sessionID, part: { type: 'step-finish', reason, tokens, cost: 0.5 } };
};

describe('what opencode tells', () => {
  it('is its conversation, its words, the sum of its steps, and its last step as its return', () => {
    expect(
      turnEntries(opencode, [
        begins,
        says('I write.'),
        ends('tool-calls'),
        begins,
        says('all'),
        says('done'),
        ends('stop'),
      ]),
    ).toEqual([
      { kind: 'conversation', id: 'ses_1' },
      { kind: 'said', text: 'I write.' },
      { kind: 'usage', text: '', usage: { tokens: 120, cost: 0.5, source: 'step_finish', isPartial: true } },
      { kind: 'said', text: '\n\nall' },
      { kind: 'said', text: '\n\ndone' },
      { kind: 'usage', text: '', usage: { tokens: 240, cost: 1, source: 'step_finish' } },
      { kind: 'returned', text: 'all\n\ndone' },
    ]);
  });

  it('is an error when it stopped for another reason', () => {
    expect(turnEntries(opencode, [ends('length')]).at(-1)).toEqual({ kind: 'error', text: 'it stopped: length' });
  });

  it('is an error with its status, and when to come again', () => {
    const data = {
      message: 'Rate limit',
      statusCode: 429,
      responseHeaders: { 'retry-after': '2' },
      responseBody: '{}',
    };
    const told = turnEntries(opencode, [{ type: 'error', sessionID, error: { name: 'APIError', data } }]);
    expect(told.at(-1)).toEqual({
      kind: 'error',
      text: 'Rate limit · APIError · statusCode 429 · retry-after: 2',
    });
  });

  it('is what it has refused, and not every tool that failed', () => {
    const rule = 'The user has specified a rule which prevents you from using this specific tool call.';
    const failed = (error: string): unknown => ({
      type: 'tool_use',
      part: { tool: 'write', state: { status: 'error', error } },
    });
    const told = turnEntries(opencode, [failed(`${rule} Here are some of the relevant rules [{}]`), failed('ENOENT')]);
    expect(told).toEqual([{ kind: 'refused', asked: 'write', why: rule }]);
  });

  it('knows how it says that it has forgotten', () => {
    expect(opencode.unusableConversation.test('\u001B[91m\u001B[1mError: \u001B[0mSession not found')).toBe(true);
  });
});
