/** Reads the lines of `codex exec --json`. They carry no time. */
import { listAt, objectIn, numberAt, textAt, valueAt } from '../base/json-value.ts';
import { count, errorWords, firstLine, joined, textIn } from './values.ts';
import { usageFrom } from './usage.ts';
import type { Entry, EntryReader } from './entry.ts';
import { mainArgument } from './main-argument.ts';
import { turnUsageText } from './usage-text.ts';
import { codexWait } from './wait-text.ts';

/** The start of a command's output where the system offers no sandbox: every command fails that way. */
const noSandbox = 'bwrap: ';

export function codexReader(): EntryReader {
  let lastMessage = '';
  /** The output of a command that could not be confined, until one could. */
  let unconfined: string | undefined;
  let hasRun = false;

  function refusal(item: unknown): Entry[] {
    const why = textAt(item, 'aggregated_output');
    if (!why.startsWith(noSandbox)) hasRun = true;
    if (hasRun) return [];
    unconfined = why;
    return [{ kind: 'refused', asked: textAt(item, 'command'), why }];
  }

  function completed(item: unknown): Entry[] {
    switch (textAt(item, 'type')) {
      case 'agent_message':
        lastMessage = textAt(item, 'text');
        return [{ kind: 'said', text: lastMessage }];
      case 'reasoning':
        return [{ kind: 'thought', text: textAt(item, 'text') }];
      // A remark: turns succeed with it.
      case 'error':
        return [{ kind: 'note', text: textAt(item, 'message') }];
      case 'command_execution':
        return [...toolEnded(item), ...refusal(item)];
      default:
        return toolEnded(item);
    }
  }

  function turnEnd(): Entry {
    if (unconfined !== undefined && !hasRun) return { kind: 'error', text: `it could run no command: ${unconfined}` };
    return {
      kind: 'returned',
      text: lastMessage,
      ...(Object.keys(objectIn(lastMessage)).length > 0 ? { via: 'schema' } : {}),
    };
  }

  return (line) => {
    switch (textAt(line, 'type')) {
      case 'thread.started': {
        const id = textAt(line, 'thread_id');
        return id === '' ? [] : [{ kind: 'conversation', id }];
      }
      case 'item.started':
      case 'item.updated':
        return toolStarted(valueAt(line, 'item'));
      case 'item.completed':
        return completed(valueAt(line, 'item'));
      case 'turn.completed':
        return [...usageIn(line), turnEnd()];
      case 'turn.failed':
        return [errorIn(errorWords(valueAt(line, 'error', 'message'), valueAt(line, 'error', 'code')))];
      case 'error':
        return [errorIn(errorWords(valueAt(line, 'message')))];
      default:
        return [];
    }
  };
}

/** Only the wording says that it retries. */
function errorIn(text: string): Entry {
  const waits = codexWait(text);
  return waits === null ? { kind: 'error', text } : { kind: 'waits', ...waits };
}

/** The input includes cached tokens, the output includes reasoning. */
function usageIn(line: unknown): Entry[] {
  const usage = valueAt(line, 'usage');
  if (usage === undefined) return [];
  const [input, output] = [numberAt(usage, 'input_tokens'), numberAt(usage, 'output_tokens')];
  const known = usageFrom({ tokens: count(input) + count(output) });
  const text = turnUsageText({ input, cached: numberAt(usage, 'cached_input_tokens'), output });
  return [{ kind: 'usage', text, ...(known && { usage: { ...known, source: 'turn.completed.usage' } }) }];
}

function toolStarted(item: unknown): Entry[] {
  const tool = toolIn(item);
  return tool === null ? [] : [{ kind: 'tool', id: textAt(item, 'id'), ...tool }];
}

function toolEnded(item: unknown): Entry[] {
  const tool = toolIn(item);
  if (tool === null) return [];
  const code = numberAt(item, 'exit_code');
  const status = textAt(item, 'status');
  const failed = status === 'failed' || status === 'declined' || (code !== undefined && code !== 0);
  const exit = code === undefined || code === 0 ? '' : `exit code ${code}`;
  const why = failed ? firstLine(textAt(item, 'error', 'message') || textAt(item, 'aggregated_output')) : '';
  const detail = joined(', ', exit, status === 'declined' ? status : '', why);
  return [{ kind: 'tool-ended', id: textAt(item, 'id'), ...tool, failed, detail }];
}

/** Null for an item that is not a tool call. */
function toolIn(item: unknown): { readonly name: string; readonly argument: string } | null {
  switch (textAt(item, 'type')) {
    case 'command_execution':
      return { name: 'shell', argument: textAt(item, 'command') };
    case 'file_change': {
      const changes = listAt(item, 'changes').slice(0, 20);
      return {
        name: 'edit',
        argument: changes.map((one) => `${textAt(one, 'kind')} ${textAt(one, 'path')}`).join(', '),
      };
    }
    case 'mcp_tool_call':
      return {
        name: `${textAt(item, 'server')}.${textAt(item, 'tool')}`,
        argument: mainArgument(valueAt(item, 'arguments')),
      };
    case 'web_search':
      return { name: 'web search', argument: textAt(item, 'query') };
    case 'todo_list':
      return {
        name: 'plan',
        argument: textIn(listAt(item, 'items').find((one) => valueAt(one, 'completed') !== true)),
      };
    default:
      return null;
  }
}
