import { defined } from '../../base/defined.ts';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { PermissionPolicy } from '../permission-policy.ts';
import { type AnsweredRequest, answerPermission } from './permission.ts';
import { toolCalls } from './tool-calls.ts';

const folder = temporaryFolders();
const top = realpathSync(folder({ 'work/a.ts': '', 'outside.txt': '' }));
const directory = join(top, 'work');
const inside = join(directory, 'a.ts');
const outside = join(top, 'outside.txt');

const once = [
  { optionId: 'always', kind: 'allow_always' },
  { optionId: 'yes', kind: 'allow_once' },
  { optionId: 'no', kind: 'reject_once' },
];

interface Case {
  /** What was told of the call before. */
  readonly announced?: JsonObject;
  readonly call: JsonObject;
  readonly meta?: JsonObject;
  readonly policy?: Partial<PermissionPolicy>;
  readonly options?: readonly JsonObject[];
}

async function answer({ announced, call, meta, policy, options = once }: Case): Promise<AnsweredRequest> {
  const calls = toolCalls();
  calls.take({ update: { sessionUpdate: 'tool_call', toolCallId: 't', ...announced } });
  const request = { toolCall: { toolCallId: 't', ...call }, options, ...defined({ _meta: meta }) };
  return answerPermission(request, calls, { directory, rules: {}, ...policy });
}

const isGranted = async (one: Case): Promise<boolean> => (await answer(one)).granted;

const review = { editable: ['.divisi/report.md'] };
const result = { summary: 'ok', path: '/etc/passwd', files_changed: ['../x'] };
const approval = { is_mcp_tool_approval: true };
const submitted = { server: 'divisi', tool: 'submit_result', arguments: result };

describe('a return', () => {
  const returns: readonly (readonly [client: string, one: Case])[] = [
    ['Claude Code', { call: { title: 'mcp__divisi__submit_result', kind: 'other', content: [], rawInput: result } }],
    ['Goose', { call: { title: 'divisi: submit result', kind: 'other', rawInput: result } }],
    ['Goose, with a path', { call: { title: 'divisi: submit result · /etc/passwd', kind: 'other', rawInput: result } }],
    ['Gemini CLI', { call: { title: 'submit_result (divisi MCP Server)', kind: 'other', locations: [] } }],
    ['OpenCode', { call: { title: 'divisi_submit_result', kind: 'other', locations: [], rawInput: result } }],
    [
      'Copilot CLI',
      {
        announced: {
          title: 'divisi-submit_result',
          kind: 'other',
          rawInput: result,
          locations: [{ path: '/etc/passwd' }],
        },
        call: { title: 'submit_result', kind: 'other', rawInput: result },
      },
    ],
    [
      'Codex',
      {
        announced: { title: 'mcp.divisi.submit_result', kind: 'execute', rawInput: submitted },
        call: { kind: 'execute' },
        meta: approval,
      },
    ],
  ];

  it.each(returns)('is granted to %s, whatever the rules', async (_, one) => {
    const strict = { ...review, tools: ['Read'], rules: { other: 'refuse', execute: 'refuse' } } as const;
    expect(await isGranted({ ...one, policy: strict })).toBe(true);
  });

  const others: readonly (readonly [what: string, one: Case])[] = [
    ['a longer title', { call: { title: 'Delete submit_result', kind: 'other' } }],
    ['a longer title', { call: { title: 'divisi: submit results · x', kind: 'other' } }],
    ['a tool of another server', { call: { title: 'mcp__other__submit_result', kind: 'other' } }],
    ['a file of that name', { call: { title: 'submit_result', kind: 'other', locations: [{ path: outside }] } }],
    ['a change', { call: { title: 'submit_result', kind: 'other', content: [{ type: 'diff', path: outside }] } }],
    ['an edit', { call: { title: 'submit_result', kind: 'edit', rawInput: {} } }],
    ['a command', { call: { title: 'submit_result', kind: 'execute', rawInput: { command: 'submit_result' } } }],
    ['a command of no kind', { call: { title: 'submit_result', kind: 'other', rawInput: { command: 'x' } } }],
    [
      'a call that was announced otherwise',
      { announced: { title: 'other-submit_result' }, call: { title: 'submit_result', kind: 'other' } },
    ],
    [
      'a tool of another server with our title',
      {
        call: { title: 'mcp.divisi.submit_result', kind: 'execute', rawInput: { ...submitted, server: 'x' } },
        meta: approval,
      },
    ],
    [
      'a command that is said to be a tool',
      {
        call: { title: 'mcp.divisi.submit_result', kind: 'execute', rawInput: { ...submitted, command: 'x' } },
        meta: approval,
      },
    ],
  ];

  it.each(others)('is not %s', async (_, one) => {
    expect(await isGranted({ ...one, policy: { rules: { execute: 'refuse' } } })).toBe(false);
  });
});

describe('what clients send', () => {
  const diff = `--- a/${outside}\n+++ b/${outside}\n`;
  const rows: readonly (readonly [isGranted: boolean, what: string, call: JsonObject])[] = [
    [
      true,
      'goose writes',
      { kind: 'other', title: `write · ${inside}`, rawInput: { path: inside, content: '/etc/passwd' } },
    ],
    [false, 'goose writes', { kind: 'other', title: `write · ${outside}`, rawInput: { path: outside, content: 'x' } }],
    [true, 'goose runs', { kind: 'other', title: 'shell · ls /', rawInput: { command: 'ls /' } }],
    [
      true,
      'claude edits',
      { kind: 'edit', title: 'Edit', rawInput: { file_path: inside, old_string: '~', new_string: '/' } },
    ],
    [
      true,
      'claude edits a notebook',
      { kind: 'edit', title: 'E', rawInput: { notebook_path: inside, new_source: '\n' } },
    ],
    [true, 'claude runs', { kind: 'execute', title: 'ls', rawInput: { command: 'ls /' }, locations: [{ path: '/' }] }],
    [
      true,
      'claude fetches',
      { kind: 'fetch', title: 'Fetch', rawInput: { url: 'https://example.com', prompt: 'What?' } },
    ],
    [
      true,
      'claude has a helper',
      { kind: 'think', title: 'Task', rawInput: { prompt: 'Read /etc/passwd.', subagent_type: 'x' } },
    ],
    [true, 'claude searches', { kind: 'search', title: 'grep', rawInput: { pattern: '/api', path: '', glob: '*.ts' } }],
    [
      true,
      'copilot creates',
      { kind: 'edit', title: 'Create file', rawInput: { fileName: inside, diff: `\n${diff}` } },
    ],
    [true, 'copilot announces', { kind: 'edit', title: 'Creating', rawInput: { path: inside, file_text: '/x\n' } }],
    [true, 'gemini writes', { kind: 'edit', title: 'W', content: [{ type: 'diff', path: inside, newText: '' }] }],
    [false, 'gemini writes', { kind: 'edit', title: 'W', content: [{ type: 'diff', path: outside, newText: '' }] }],
    [true, 'opencode writes', { kind: 'edit', title: 'write', rawInput: { content: 'x', filePath: inside } }],
    [false, 'opencode leaves', { kind: 'other', title: top, rawInput: { filepath: outside, parentDir: top } }],
    [
      true,
      'codex patches',
      { kind: 'edit', title: 'Edit', rawInput: { changes: { [inside]: { unified_diff: diff } } } },
    ],
    [true, 'codex runs', { kind: 'execute', title: 'ls', rawInput: { command: ['ls'], cwd: directory } }],
  ];

  it.each(rows)('granted %s: %s', async (expected, _, call) => {
    expect(await isGranted({ call })).toBe(expected);
  });
});

describe('a command beside a path', () => {
  const editor = (path: string): Case => ({
    call: { kind: 'other', title: 'text_editor', rawInput: { command: 'create', path } },
  });

  it('is an edit', async () => {
    expect(await isGranted(editor(inside))).toBe(true);
    expect(await isGranted(editor(outside))).toBe(false);
    expect(await isGranted({ ...editor(inside), policy: review })).toBe(false);
    expect(await isGranted({ ...editor(inside), policy: { tools: ['Bash'] } })).toBe(false);
  });

  it('is one where the path may be none', async () => {
    const call = { kind: 'other', title: 'x', rawInput: { command: 'create', target_file: inside } };
    expect(await isGranted({ call })).toBe(false);
  });
});

describe('a path in the input', () => {
  const many = Array.from({ length: 200 }, (_, at) => `${at}.ts`);
  const nested = (depth: number): JsonObject => (depth === 0 ? { path: 'a.ts' } : { more: nested(depth - 1) });
  const hidden: readonly (readonly [what: string, kind: string, input: JsonObject])[] = [
    ['a destination', 'move', { source: 'a.ts', destination: outside }],
    ['the name to move to', 'move', { from: 'a.ts', to: outside }],
    ['a patch that moves', 'edit', { changes: { [inside]: { type: 'update', unified_diff: '', move_path: outside } } }],
    ['a patch that deletes', 'edit', { changes: { [inside]: {}, [outside]: { type: 'delete' } } }],
    ['a list of edits', 'edit', { edits: [{ path: 'a.ts' }, { path: outside }] }],
    ['a list of paths', 'edit', { paths: ['a.ts', outside] }],
    ['files by their paths', 'edit', { files: { [outside]: 'x' } }],
    ['a target', 'think', { target_file: '/etc/passwd', contents: 'x' }],
    ['a root', 'search', { root: '/', pattern: 'KEY' }],
    ['a working folder', 'read', { cwd: '/' }],
    ['a file address', 'fetch', { url: 'file:///etc/passwd' }],
    ['the arguments of a tool', 'other', { server: 'x', tool: 'y', arguments: { outputFile: outside } }],
    ['a folder beside contents', 'edit', { content: { path: '/' }, base_dir: '/' }],
    ['more depth than is looked at', 'edit', nested(20)],
    ['more values than are looked at', 'edit', { edits: Array.from({ length: 20_000 }, () => 1) }],
    ['more paths than are looked at', 'edit', { paths: Array.from({ length: 2_000 }, (_, at) => `${at}`) }],
  ];

  it.each(hidden)('is found in %s', async (_, kind, rawInput) => {
    const call = { kind, title: 'x', locations: [{ path: inside }] };
    expect(await isGranted({ call: { ...call, rawInput: {} } })).toBe(true);
    expect(await isGranted({ call: { ...call, rawInput } })).toBe(false);
  });

  const announced: readonly (readonly [isGranted: boolean, what: string, input: JsonObject])[] = [
    [true, 'a patch', { changes: { [inside]: { type: 'update' } } }],
    [false, 'a patch', { changes: { [inside]: { type: 'update' }, [outside]: { type: 'add' } } }],
    [false, 'a patch of more files than are kept', { changes: Object.fromEntries(many.map((name) => [name, {}])) }],
    [false, 'a list of more than is kept', { edits: many.map((name) => ({ name })) }],
    [false, 'more depth than is kept', nested(6)],
  ];

  it.each(announced)('granted %s: %s that was announced', async (expected, _, rawInput) => {
    const call = { kind: 'edit', title: 'x', locations: [{ path: inside }] };
    expect(await isGranted({ announced: { ...call, rawInput }, call: {} })).toBe(expected);
  });

  const harmless: readonly (readonly [what: string, input: JsonObject])[] = [
    ['contents', { content: outside, text: outside, diff: outside, prompt: outside, file_text: outside }],
    ['contents that are an object', { content: { path: outside } }],
    ['edits', { edits: [{ old_string: '~/x', new_string: outside, oldText: '/', newText: '/' }] }],
    ['a direction', { direction: '/' }],
    ['paths that stay', { source: 'a.ts', destination: 'b.ts', files: ['c.ts', inside] }],
    ['a path that is left out', { path: '', dir_path: '', cwd: '' }],
    ['as much depth as is looked at', nested(7)],
  ];

  it.each(harmless)('is not seen in %s', async (_, rawInput) => {
    expect(await isGranted({ call: { kind: 'edit', title: 'x', locations: [{ path: inside }], rawInput } })).toBe(true);
  });
});

describe('the answer', () => {
  const call = { kind: 'edit', title: 'w', rawInput: { path: 'a.ts' } };
  const bad = { kind: 'edit', title: 'w', rawInput: { path: outside } };
  const option = (...kinds: readonly string[]): JsonObject[] => kinds.map((kind) => ({ optionId: kind, kind }));
  const rows: readonly (readonly [offered: readonly string[], call: JsonObject, chosen: string | undefined])[] = [
    [['allow_always', 'allow_once', 'reject_once'], call, 'allow_once'],
    [['allow_always', 'reject_always', 'reject_once'], call, 'reject_once'],
    [['allow_always', 'reject_always'], call, 'reject_always'],
    [['allow_always'], call, undefined],
    [[], call, undefined],
    [['allow_once', 'reject_always', 'reject_once'], bad, 'reject_once'],
    [['allow_once', 'reject_always'], bad, 'reject_always'],
    [['allow_once', 'allow_always'], bad, undefined],
  ];

  it.each(rows)('of %j', async (offered, asked, chosen) => {
    const answered = await answer({ call: asked, options: option(...offered) });
    const outcome = chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen };
    expect(answered).toMatchObject({ granted: chosen === 'allow_once', answer: { outcome } });
  });

  it('says that only an answer for good was offered', async () => {
    const { why } = await answer({ call, options: option('allow_always', 'reject_once') });
    expect(why).toBe('its client offers no way to allow it once');
  });

  it('is not an option without a name', async () => {
    const answered = await answer({ call, options: [{ kind: 'allow_once' }, { kind: 'reject_once', optionId: 'no' }] });
    expect(answered).toMatchObject({ granted: false, answer: { outcome: { outcome: 'selected', optionId: 'no' } } });
  });
});
