/** `codex exec`: Codex for one turn. What it runs, it confines itself: it writes in its folder and has no network. */
import { dirname, join, relative } from 'node:path';
import { usageFrom } from '../usage.ts';
import { type JsonObject, objectIn, objectOf, textOrEmpty } from '../../base/json-value.ts';
import { count, paragraphs, wordsOf } from './fields.ts';
import type { OneShot, OneShotCall, OneShotTurn, Reader, Told } from './one-shot.ts';
import { strictSchema } from './strict-schema.ts';
import { codexNames, namesIn } from './tool-names.ts';

export const codex: OneShot = {
  program: 'codex',
  returnWay: 'schema',
  resumesElsewhere: true,
  call,
  reader,
  forgotten: /no rollout found for thread id/,
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
    // Nobody is there to be asked.
    ...setting('approval_policy', 'never'),
    ...confined(turn),
    ...(schema === null ? [] : ['--output-schema', join(files, schemaFile)]),
    ...(strength.model === undefined ? [] : ['--model', strength.model]),
    ...(strength.effort === undefined ? [] : setting('model_reasoning_effort', strength.effort)),
    ...(conversation === undefined ? [] : ['resume', conversation]),
    '-',
  ];
  const written = schema === null ? {} : { write: { [schemaFile]: JSON.stringify(schema) } };
  return { args, input: prompt, ...written, ...(turn.isReview ? { folders: ownFolders(turn) } : {}) };
}

/** Its tools are a shell and a patch: who may use neither may not write. */
const writing = new Set(['apply_patch', 'exec_command', 'local_shell', 'shell', 'unified_exec']);

/**
 * A review reads everything and writes where its own two files are. Both may use the folder for temporary files, unless that
 * is where the work itself is: then others' work is there as well.
 */
function confined(turn: OneShotTurn): string[] {
  const { task, isReview } = turn;
  const isTemporary = worksInTemporary(turn);
  if (isReview) {
    const own = ownFolders(turn).map((path) => join(task.directory, path));
    const written = [...own, ...(isTemporary ? [] : [':tmpdir', ':slash_tmp'])];
    const rights = [`":root"="read"`, ...written.map((path) => `${quoted(path)}="write"`)];
    return [...setting('default_permissions', 'review'), '-c', `permissions.review.filesystem={${rights.join(',')}}`];
  }
  const mayWrite = task.tools === undefined || namesIn(codexNames, task.tools).some((tool) => writing.has(tool));
  if (!mayWrite) return ['--sandbox', 'read-only'];
  const less = ['exclude_slash_tmp', 'exclude_tmpdir_env_var'].map((name) => `sandbox_workspace_write.${name}=true`);
  return ['--sandbox', 'workspace-write', ...(isTemporary ? less.flatMap((one) => ['-c', one]) : [])];
}

function worksInTemporary({ task, environment }: OneShotTurn): boolean {
  const places = ['/tmp', environment['TMPDIR'] ?? '/tmp'];
  return places.some((place) => !/^\.\.(?:\/|$)/.test(relative(place, task.directory)));
}

function ownFolders({ task }: OneShotTurn): string[] {
  return [...new Set([dirname(task.reportPath), dirname(task.worklogPath)])].filter((path) => path !== '.');
}

function setting(name: string, value: string): string[] {
  return ['-c', `${name}=${quoted(value)}`];
}

/** Its settings are TOML, whose strings are written like those of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Where the system has no sandbox for it, every command fails, and its agent makes of that what it likes. */
const noSandbox = 'bwrap: ';

function reader(): Reader {
  const paragraph = paragraphs();
  let last = '';
  /** What it said when it could not confine a command, until it could. */
  let unconfined: string | undefined;
  let hasRun = false;

  const command = ({ command: asked, aggregated_output: output }: JsonObject): Told[] => {
    const why = textOrEmpty(output);
    if (!why.startsWith(noSandbox)) hasRun = true;
    if (hasRun) return [];
    unconfined = why;
    return [{ kind: 'refused', asked: textOrEmpty(asked), why }];
  };
  const completed = (): Told =>
    unconfined === undefined || hasRun
      ? { kind: 'returned', text: last, ...(Object.keys(objectIn(last)).length > 0 ? { via: 'schema' } : {}) }
      : { kind: 'error', error: { text: `it could run no command: ${unconfined}` } };
  const item = (line: JsonObject): Told[] => {
    const { type, text } = objectOf(line['item']);
    if (type === 'command_execution') return command(objectOf(line['item']));
    // An item of type `error` is a remark: turns succeed with it.
    if (type !== 'agent_message' || typeof text !== 'string') return [];
    last = text;
    return [{ kind: 'said', text: paragraph(text) }];
  };

  return (value) => {
    const line = objectOf(value);
    switch (line['type']) {
      case 'thread.started': {
        const id = textOrEmpty(line['thread_id']);
        return id === '' ? [] : [{ kind: 'conversation', id }];
      }
      case 'item.completed':
        return item(line);
      case 'error':
        return errorOf(wordsOf(line['message']));
      case 'turn.failed':
        return errorOf(wordsOf(objectOf(line['error'])['message'], objectOf(line['error'])['code']));
      case 'turn.completed':
        return [...usageOf(line), completed()];
      default:
        return [];
    }
  };
}

function errorOf(text: string): Told[] {
  if (/^reconnecting\.{3}/i.test(text)) return [{ kind: 'waits', why: text }];
  return [{ kind: 'error', error: { text } }];
}

/** What was read from a cache is in the input, what was thought in the output. */
function usageOf(line: JsonObject): Told[] {
  if (line['usage'] === undefined) return [];
  const given = objectOf(line['usage']);
  const usage = usageFrom({ tokens: count(given['input_tokens']) + count(given['output_tokens']) });
  return usage === undefined ? [] : [{ kind: 'usage', usage: { ...usage, source: 'turn.completed.usage' } }];
}
