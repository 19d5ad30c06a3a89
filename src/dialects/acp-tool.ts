/** Reads tool calls of the Agent Client Protocol. Each message carries only part of a call. */
import { numberAt, objectOf, textAt, valueAt } from '../base/json-value.ts';
import { firstLine, textIn } from './values.ts';
import type { Entry } from './entry.ts';
import { inside, mainArgument } from './main-argument.ts';

interface Call {
  readonly name: string;
  readonly title: string;
  readonly argument: string;
}

export interface AcpToolReader {
  worksIn(directory: string): void;
  /** `tool_call` or `tool_call_update`. */
  read(update: unknown): readonly Entry[];
  /** Name and argument of a call, merged with earlier messages. */
  nameOf(call: unknown): string;
}

const nothing: Call = { name: '', title: '', argument: '' };

export function acpToolReader(): AcpToolReader {
  const calls = new Map<string, Call>();
  let directory = '';

  function merged(update: unknown): Call {
    const before = calls.get(textAt(update, 'toolCallId')) ?? nothing;
    const title = textAt(update, 'title') || before.title;
    const argument =
      mainArgument(valueAt(update, 'rawInput'), directory) || inside(textAt(update, 'locations', 0, 'path'), directory);
    return { name: ownName(update) || before.name || kindOf(update), title, argument: argument || before.argument };
  }

  /** Uses the title where the input says nothing. */
  function shown({ name, title, argument }: Call): { readonly name: string; readonly argument: string } {
    if (name === '') return { name: title || 'tool', argument };
    return { name, argument: argument || (title === name ? '' : inside(title, directory)) };
  }

  return {
    worksIn: (folder) => (directory = folder),
    nameOf(call) {
      const { name, argument } = shown(merged(call));
      return `${name} ${argument}`.trim();
    },
    read(update) {
      const id = textAt(update, 'toolCallId');
      const call = merged(update);
      const status = textAt(update, 'status');
      const has = { id, ...shown(call) };
      if (status !== 'completed' && status !== 'failed') {
        const isNew = calls.get(id) === undefined || status === 'in_progress' || status === 'pending';
        calls.set(id, call);
        return isNew ? [{ kind: 'tool', ...has }] : [];
      }
      calls.delete(id);
      const code = exitCode(update);
      const failed = status === 'failed' || (code !== undefined && code !== 0);
      return [{ kind: 'tool-ended', ...has, failed, detail: failed ? whyFailed(update, code) : '' }];
    },
  };
}

/** The protocol has no field for a tool's name: clients put it into `_meta`, each under its own key. */
function ownName(update: unknown): string {
  const named = textAt(update, 'name');
  if (named !== '') return named;
  for (const own of Object.values(objectOf(valueAt(update, '_meta')))) {
    const name = textAt(own, 'toolName') || textAt(own, 'toolCall', 'toolName');
    if (name !== '') return name;
  }
  const title = textAt(update, 'title');
  return /^[\w.-]{1,60}$/.test(title) && textAt(update, 'sessionUpdate') === 'tool_call' ? title : '';
}

function kindOf(update: unknown): string {
  const kind = textAt(update, 'kind');
  return kind === 'other' ? '' : kind;
}

function exitCode(update: unknown): number | undefined {
  return (
    numberAt(update, '_meta', 'terminal_exit', 'exit_code') ??
    numberAt(update, 'rawOutput', 'metadata', 'exit') ??
    numberAt(update, 'rawOutput', 'exit_code')
  );
}

function whyFailed(update: unknown, code: number | undefined): string {
  const raw = valueAt(update, 'rawOutput');
  const said = textAt(raw, 'error') || textIn(raw) || textAt(raw, 'output') || textIn(valueAt(update, 'content'));
  return [code === undefined ? '' : `exit code ${code}`, firstLine(said)].filter((word) => word !== '').join(', ');
}
