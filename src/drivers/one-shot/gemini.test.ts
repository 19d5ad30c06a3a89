import { describe, expect, it } from 'vitest';
import { after, oneShotTurn, turnEntries } from '../../../tests/support/one-shot-turn.ts';
import { gemini } from './gemini.ts';

describe('how gemini is called', () => {
  it('gets its prompt on its standard input, and always a model', () => {
    const { args, input, variables } = gemini.call(oneShotTurn({ conversation: 's1' }));
    const defaults = expect.stringMatching(/defaults\.json$/);
    expect([input, variables]).toEqual([
      'Do it.',
      {
        GEMINI_CLI_NO_RELAUNCH: 'true',
        GEMINI_CLI_TRUST_WORKSPACE: 'false',
        GEMINI_CLI_SYSTEM_DEFAULTS_PATH: defaults,
      },
    ]);
    expect(args.join(' ')).toBe(
      '--output-format stream-json --approval-mode auto_edit --skip-trust --policy /said/a.files/policy.toml --model gemini-2.5-pro --resume s1',
    );
    expect(after(gemini.call(oneShotTurn({ strength: { model: 'flash' } })).args, '--model')).toBe('flash');
  });

  it.each([
    [{}, {}, ['"run_shell_command" allow 300']],
    [{}, { tools: ['read_file', 'glob'] }, ['"*" deny 300', '["read_file","glob"] allow 400']],
    [{}, { tools: ['Edit', 'LS', 'Bash(git *)'] }, ['"*" deny 300', '["replace","list_directory"] allow 400']],
    [{}, { tools: [] }, ['"*" deny 300']],
    [
      { isReview: true },
      {},
      ['"run_shell_command" allow 300', '["write_file","replace"] deny 500', '["write_file","replace"] allow 600 *'],
    ],
  ])('may do what its policy says: %j %j', (own, task, rules) => {
    const policy = gemini.call(oneShotTurn(own, task)).write?.['policy.toml'] ?? '';
    const found = policy
      .split('[[rule]]\n')
      .slice(1)
      .map((rule) => {
        const value = (name: string): string => new RegExp(`^${name} = (.*)$`, 'm').exec(rule)?.[1] ?? '';
        const pattern = value('argsPattern') === '' ? '' : ' *';
        return `${value('toolName')} ${JSON.parse(value('decision'))} ${value('priority')}${pattern}`;
      });
    expect(found).toEqual(rules);
  });

  it.each([
    ['.divisi/reports/r.md', true],
    ['/home/me/project/.divisi/worklogs/w.jsonl', true],
    ['.divisi/reports/rxmd', false],
    ['src/.divisi/reports/r.md', false],
    ['/elsewhere/.divisi/reports/r.md', false],
    ['.divisi/reports/r.md/x', false],
    ['x","other":{"file_path":".divisi/reports/r.md"}', false],
  ])('writes only its own files as a reviewer: %s', (path, isOwn) => {
    const policy = gemini.call(oneShotTurn({ isReview: true })).write?.['policy.toml'] ?? '';
    const pattern = JSON.parse(/^argsPattern = (.*)$/m.exec(policy)?.[1] ?? '""') as string;
    expect(new RegExp(pattern).test(JSON.stringify({ content: 'x', file_path: path }))).toBe(isOwn);
  });
});

const init = { type: 'init', session_id: 's1', model: 'gemini-2.5-flash' };
const asked = { type: 'message', role: 'user', content: 'Do it.' };
const says = (content: string): unknown => ({ type: 'message', role: 'assistant', content, delta: true });
const tool = { type: 'tool_use', tool_name: 'write_file', tool_id: 'write_file__write_file_1_0', parameters: {} };
const done = { type: 'result', status: 'success', stats: { total_tokens: 360, input_tokens: 300, output_tokens: 60 } };

describe('what gemini tells', () => {
  it('is its conversation, its words as they come, and the message after its last tool as its return', () => {
    expect(
      turnEntries(gemini, [init, asked, says('I wri'), says('te.'), tool, says('all '), says('done'), done]),
    ).toEqual([
      { kind: 'conversation', id: 's1' },
      { kind: 'said', text: 'I wri' },
      { kind: 'said', text: 'te.' },
      { kind: 'said', text: '\n\nall ' },
      { kind: 'said', text: 'done' },
      { kind: 'usage', text: '', usage: { tokens: 360, source: 'result.stats' } },
      { kind: 'returned', text: 'all done' },
    ]);
  });

  it('is an error', () => {
    const message = '[API Error: Resource has been exhausted\nSuggested retry after 3600s.]';
    const failed = { type: 'result', status: 'error', error: { type: 'unknown', message }, stats: { total_tokens: 0 } };
    expect(turnEntries(gemini, [failed])).toEqual([
      { kind: 'usage', text: '', usage: { tokens: 0, source: 'result.stats' } },
      { kind: 'error', text: message },
    ]);
  });

  it('is what it has refused, and not every tool that failed', () => {
    const failed = (message: string): unknown => ({
      type: 'tool_result',
      tool_id: tool.tool_id,
      status: 'error',
      error: { message },
    });
    const lines = [
      failed('Path not in workspace: Attempted path "/x"'),
      failed('Tool execution denied by policy.'),
      failed('ENOENT'),
    ];
    expect(turnEntries(gemini, lines)).toEqual([
      { kind: 'refused', asked: 'write_file', why: 'Path not in workspace: Attempted path "/x"' },
      { kind: 'refused', asked: 'write_file', why: 'Tool execution denied by policy.' },
    ]);
  });

  it('knows how it says that it has forgotten', () => {
    expect(gemini.unusableConversation.test('Error resuming session: Invalid session identifier "01a1e245".')).toBe(
      true,
    );
  });
});
