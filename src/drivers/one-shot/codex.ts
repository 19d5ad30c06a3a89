/** Calls `codex exec`: Codex for one turn, in Codex's own sandbox: it writes in its folder and has no network. */
import { dirname, join, relative } from 'node:path';
import { codexReader } from '../../dialects/codex.ts';
import type { OneShot, OneShotCall, OneShotTurn } from './one-shot.ts';
import { strictSchema } from './strict-schema.ts';
import { codexNames, toolNamesIn } from './tool-names.ts';

export const codex: OneShot = {
  program: 'codex',
  returnWay: 'schema',
  resumesElsewhere: true,
  call,
  reader: codexReader,
  limits: { turns: 'counted', tokens: 'after-turn', cost: 'unknown' },
  unusableConversation: /no rollout found for thread id/,
  countsConversation: true,
};

const schemaFile = 'return.json';

function call(turn: OneShotTurn): OneShotCall {
  const { task, strength, prompt, conversation, files } = turn;
  const schema = strictSchema(task.returnSchema);
  const args = [
    'exec',
    '--json',
    '--skip-git-repo-check',
    // There is no person to ask.
    ...setting('approval_policy', 'never'),
    // Settings in the tree start programs: MCP servers, hooks.
    '-c',
    `projects={${quoted(task.directory)}={trust_level="untrusted"}}`,
    ...confined(turn),
    ...(schema === null ? [] : ['--output-schema', join(files, schemaFile)]),
    ...(strength.model === undefined ? [] : ['--model', strength.model]),
    ...(strength.effort === undefined ? [] : setting('model_reasoning_effort', strength.effort)),
    ...(conversation === undefined ? [] : ['resume', conversation]),
    '-',
  ];
  const written = schema === null ? {} : { write: { [schemaFile]: JSON.stringify(schema) } };
  return { args, input: prompt, ...written, ...(turn.isReview ? { folders: ownFolders(turn) } : {}), ...held(turn) };
}

/** Its tools are a shell and a patch: an agent with neither may not write. */
const writing = new Set(['apply_patch', 'exec_command', 'local_shell', 'shell', 'unified_exec']);

/**
 * A review reads everything and writes only where its report and worklog are. Every agent may use the system's temporary
 * folder, unless it works there: then the work of others is there as well.
 */
function confined(turn: OneShotTurn): string[] {
  const { task, isReview } = turn;
  if (turn.isConfined) return ['--sandbox', 'danger-full-access'];
  const isTemporary = worksInTemporary(turn);
  if (isReview) {
    const own = ownFolders(turn).map((path) => join(task.directory, path));
    const written = [...own, ...(isTemporary ? [] : [':tmpdir', ':slash_tmp'])];
    const rights = [`":root"="read"`, ...written.map((path) => `${quoted(path)}="write"`)];
    return [...setting('default_permissions', 'review'), '-c', `permissions.review.filesystem={${rights.join(',')}}`];
  }
  if (!mayWrite(turn)) return ['--sandbox', 'read-only'];
  const less = ['exclude_slash_tmp', 'exclude_tmpdir_env_var'].map((name) => `sandbox_workspace_write.${name}=true`);
  return ['--sandbox', 'workspace-write', ...(isTemporary ? less.flatMap((one) => ['-c', one]) : [])];
}

function mayWrite({ task: { tools } }: OneShotTurn): boolean {
  return tools === undefined || toolNamesIn(codexNames, tools).some((tool) => writing.has(tool));
}

/** What its sandbox would enforce. */
function held(turn: OneShotTurn): Pick<OneShotCall, 'changesOnly'> {
  if (!turn.isConfined || (!turn.isReview && mayWrite(turn))) return {};
  return { changesOnly: turn.isReview ? ownFolders(turn) : [] };
}

function worksInTemporary({ task, environment }: OneShotTurn): boolean {
  const folders = ['/tmp', environment['TMPDIR'] ?? '/tmp'];
  return folders.some((folder) => !/^\.\.(?:\/|$)/.test(relative(folder, task.directory)));
}

function ownFolders({ task }: OneShotTurn): string[] {
  return [...new Set([dirname(task.reportPath), dirname(task.worklogPath)])].filter((path) => path !== '.');
}

function setting(name: string, value: string): string[] {
  return ['-c', `${name}=${quoted(value)}`];
}

/** As a TOML string, which is written like a JSON string. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
