import { describe, expect, it } from 'vitest';
import { after, oneShotTurn, turnEntries } from '../../../tests/support/one-shot-turn.ts';
import { codex } from './codex.ts';

const returnSchema = {
  type: 'object',
  properties: { status: { type: 'string', minLength: 1 } },
  required: [],
  additionalProperties: false,
};

describe('how codex is called', () => {
  it('is confined to its folder, never asks, and gets its prompt on its standard input', () => {
    const strength = { model: 'm', effort: 'high' };
    const { args, input, write } = codex.call(oneShotTurn({ strength }, { returnSchema }));
    expect(input).toBe('Do it.');
    expect(args.join(' ')).toBe(
      'exec --json --skip-git-repo-check -c approval_policy="never" -c projects={"/home/me/project"={trust_level="untrusted"}} --sandbox workspace-write --output-schema /said/a.files/return.json --model m -c model_reasoning_effort="high" -',
    );
    expect(JSON.parse(write?.['return.json'] ?? '')).toMatchObject({ required: ['status'] });
  });

  it('continues a conversation', () => {
    const { args } = codex.call(oneShotTurn({ conversation: 't1' }));
    expect(args.slice(-3)).toEqual(['resume', 't1', '-']);
  });

  it('has no schema where none can be had', () => {
    const { args, write } = codex.call(oneShotTurn());
    expect([args.includes('--output-schema'), write]).toEqual([false, undefined]);
  });

  it.each([
    [['exec_command'], 'workspace-write'],
    [['Read', 'Edit'], 'workspace-write'],
    [['Read', 'Bash(git *)'], 'read-only'],
    [['update_plan'], 'read-only'],
    [[], 'read-only'],
  ])('writes nothing without the tools for it: %j', (tools, sandbox) => {
    expect(after(codex.call(oneShotTurn({}, { tools })).args, '--sandbox')).toBe(sandbox);
  });

  it.each([
    [{}, '/tmp/a/project', true],
    [{ TMPDIR: '/scratch' }, '/scratch/project', true],
    [{ TMPDIR: '/scratch' }, '/tmp', true],
    [{ TMPDIR: '/scratch' }, '/scratches/project', false],
    [{}, '/home/a/tmp/project', false],
  ])('has no folder for temporary files where its work is one: %j %s', (environment, directory, isTemporary) => {
    const less = 'sandbox_workspace_write.exclude_slash_tmp=true';
    expect(codex.call(oneShotTurn({ environment }, { directory })).args.includes(less)).toBe(isTemporary);
    const review = codex.call(oneShotTurn({ environment, isReview: true }, { directory })).args.join(' ');
    expect(review.includes('":slash_tmp"')).toBe(!isTemporary);
  });

  it('writes only where its own files are as a reviewer', () => {
    const { args, folders } = codex.call(oneShotTurn({ isReview: true }));
    const rights =
      '":root"="read","/home/me/project/.divisi/reports"="write","/home/me/project/.divisi/worklogs"="write",":tmpdir"="write",":slash_tmp"="write"';
    expect(args).not.toContain('--sandbox');
    expect(args).toContain('default_permissions="review"');
    expect(args).toContain(`permissions.review.filesystem={${rights}}`);
    expect(folders).toEqual(['.divisi/reports', '.divisi/worklogs']);
  });
});

const started = { type: 'thread.started', thread_id: 't1' };
const remark = {
  type: 'item.completed',
  item: { id: 'item_0', type: 'error', message: 'Model metadata for `m` not found.' },
};
const says = (text: string): unknown => ({
  type: 'item.completed',
  item: { id: 'item_1', type: 'agent_message', text },
});
const usage = { input_tokens: 200, cached_input_tokens: 50, output_tokens: 40, reasoning_output_tokens: 10 };
const completed = { type: 'turn.completed', usage };

describe('what codex tells', () => {
  it('is its conversation, its words, what it used, and its last message as its return', () => {
    expect(turnEntries(codex, [started, remark, says('one'), says('two'), completed])).toEqual([
      { kind: 'conversation', id: 't1' },
      { kind: 'said', text: 'one' },
      { kind: 'said', text: '\n\ntwo' },
      { kind: 'usage', text: '', usage: { tokens: 240, source: 'turn.completed.usage' } },
      { kind: 'returned', text: 'two' },
    ]);
  });

  it.each([
    ['{"status":"completed"}', 'schema'],
    ['{"status"', undefined],
    ['[1]', undefined],
    ['{}', undefined],
    ['completed', undefined],
  ])('is a structure when it is one: %s', (text, via) => {
    expect(turnEntries(codex, [says(text), completed]).at(-1)).toEqual({ kind: 'returned', text, ...(via && { via }) });
  });

  it('is that it reconnects, and then an error', () => {
    const words =
      'unexpected status 503 Service Unavailable: Service unavailable, url: http://127.0.0.1:1/v1/responses';
    const lines = [
      { type: 'error', message: `Reconnecting... 1/1 (${words})` },
      { type: 'error', message: words },
      { type: 'turn.failed', error: { message: words } },
    ];
    const error = { kind: 'error', text: words };
    expect(turnEntries(codex, lines)).toEqual([
      { kind: 'waits', text: '503 Service Unavailable, attempt 1 of 1', error: `Reconnecting... 1/1 (${words})` },
      error,
      error,
    ]);
  });

  it('is that it has no sandbox, which is a failure when it could run nothing at all', () => {
    const runs = (aggregated_output: string): unknown => ({
      type: 'item.completed',
      item: { type: 'command_execution', command: 'ls', aggregated_output, exit_code: 1 },
    });
    const why = 'bwrap: Creating new namespace failed';
    const refused = { kind: 'refused', asked: 'ls', why };
    const error = { kind: 'error', text: `it could run no command: ${why}` };
    const turn = { type: 'turn.completed' };
    expect(turnEntries(codex, [runs(why), turn])).toEqual([refused, error]);
    expect(turnEntries(codex, [runs(why), runs('a.txt'), turn])).toEqual([refused, { kind: 'returned', text: '' }]);
    expect(turnEntries(codex, [runs('a.txt'), runs(why), turn])).toEqual([{ kind: 'returned', text: '' }]);
  });

  it('knows how it says that it has forgotten', () => {
    const words = 'Error: thread/resume: thread/resume failed: no rollout found for thread id 01a1e245 (code -32600)';
    expect(codex.unusableConversation.test(words)).toBe(true);
  });
});
