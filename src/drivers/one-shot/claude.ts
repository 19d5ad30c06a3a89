/** Calls `claude -p`: Claude Code for one turn. */
import type { JsonSchema } from '../../contracts/write/json-schema.ts';
import { claudeReader } from '../../dialects/claude.ts';
import type { OneShot, OneShotCall, OneShotTurn } from './one-shot.ts';

export const claude: OneShot = {
  program: 'claude',
  returnWay: 'schema',
  resumesElsewhere: true,
  call,
  reader: claudeReader,
  limits: { turns: 'client', tokens: 'counted', cost: 'client' },
  unusableConversation: /No conversation found with session ID|Session ID \S+ is already in use/,
  takesConversationId: true,
};

/** In the place of the memory files of the tree, which are harmless. */
export const readMemory =
  'Before you start, read CLAUDE.md at the top of your folder if it exists: the instructions of this project.';

/** Characters. One argument holds at most 128 KiB. */
const longestSchema = 100_000;

function call(turn: OneShotTurn): OneShotCall {
  const { task, strength, prompt, conversation, newConversation, isReview, left } = turn;
  const schema = JSON.stringify(plainSchema(task.returnSchema));
  const args = [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    // Settings in the tree start programs: hooks, helpers, MCP servers. Its memory files are left out with them.
    '--setting-sources',
    'user',
    '--append-system-prompt',
    readMemory,
    ...(isReview ? reviewing(turn) : working(turn)),
    // The tools of the user's other MCP servers are not granted to this agent.
    ...(task.tools?.some((tool) => tool.startsWith('mcp__')) === true ? [] : ['--strict-mcp-config']),
    ...(schema.length > longestSchema ? [] : ['--json-schema', schema]),
    ...(strength.model === undefined ? [] : ['--model', strength.model]),
    ...(strength.effort === undefined ? [] : ['--effort', strength.effort]),
    ...(conversation === undefined ? [] : ['--resume', conversation]),
    ...(newConversation === undefined ? [] : ['--session-id', newConversation]),
    // Both count this process only, not the conversation before it.
    ...(left.turns === undefined ? [] : ['--max-turns', String(left.turns)]),
    ...(left.cost === undefined ? [] : ['--max-budget-usd', left.cost.toFixed(4)]),
  ];
  const variables = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };
  return { args, variables, input: prompt };
}

/** Its mode permits these inside its folder. A rule for a whole tool would reach beyond the folder. */
const editing = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);
const reading = new Set(['Glob', 'Grep', 'LS', 'NotebookRead', 'Read']);

/** There is no person to ask: a tool that would ask is denied in every mode. `acceptEdits` edits inside its folder. */
function working({ task: { tools } }: OneShotTurn): string[] {
  const mayEdit = tools?.some((tool) => editing.has(nameOf(tool))) ?? true;
  const allowed = tools ?? ['Bash', 'WebFetch', 'WebSearch'];
  return ['--permission-mode', mayEdit ? 'acceptEdits' : 'dontAsk', ...allow(allowed), ...only(tools)];
}

/** A review reads, runs commands, and writes its report and worklog. */
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

/** `Bash(git *)` is a permission rule; `--tools` takes bare names. */
function only(tools: readonly string[] | undefined): string[] {
  if (tools === undefined) return [];
  const names = tools.map(nameOf).filter((name) => !name.startsWith('mcp__'));
  return ['--tools', [...new Set(names)].join(',')];
}

/** Claude Code rejects a schema with `$schema`. */
function plainSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}
