/** `codex exec --json`. Its lines carry no time. */
import type { Entry, EntryReader } from './transcript-entry.ts';
import { valueAt, listAt, numberAt, textAt } from '../../base/json-value.ts';
import { mainArgument } from './transcript-tool.ts';
import { usageText } from './transcript-usage.ts';
import { firstLine, textIn } from './transcript-values.ts';

export function codexReader(): EntryReader {
  return (message) => {
    switch (textAt(message, 'type')) {
      case 'item.started':
      case 'item.updated':
        return begun(valueAt(message, 'item'));
      case 'item.completed':
        return completed(valueAt(message, 'item'));
      case 'turn.completed': {
        const usage = usageText({
          input: numberAt(message, 'usage', 'input_tokens'),
          cached: numberAt(message, 'usage', 'cached_input_tokens'),
          output: numberAt(message, 'usage', 'output_tokens'),
        });
        return usage === '' ? [] : [{ kind: 'usage', text: usage }];
      }
      case 'turn.failed':
        return [{ kind: 'error', text: textAt(message, 'error', 'message') }];
      case 'error':
        return [trouble(textAt(message, 'message'))];
      default:
        return [];
    }
  };
}

/** It says in words alone that it goes on by itself. */
function trouble(text: string): Entry {
  return { kind: text.startsWith('Reconnecting...') ? 'waits' : 'error', text };
}

function begun(item: unknown): Entry[] {
  const tool = toolOf(item);
  return tool === null ? [] : [{ kind: 'tool', id: textAt(item, 'id'), ...tool }];
}

function completed(item: unknown): Entry[] {
  switch (textAt(item, 'type')) {
    case 'agent_message':
      return [{ kind: 'said', text: textAt(item, 'text') }];
    case 'reasoning':
      return [{ kind: 'thought', text: textAt(item, 'text') }];
    // Seen on runs that went well: it does not end anything.
    case 'error':
      return [{ kind: 'note', text: textAt(item, 'message') }];
    default: {
      const tool = toolOf(item);
      if (tool === null) return [];
      const code = numberAt(item, 'exit_code');
      const status = textAt(item, 'status');
      const failed = status === 'failed' || status === 'declined' || (code !== undefined && code !== 0);
      const exit = code === undefined || code === 0 ? '' : `exit code ${code}`;
      const why = failed ? firstLine(textAt(item, 'error', 'message') || textAt(item, 'aggregated_output')) : '';
      const detail = [exit, status === 'declined' ? status : '', why].filter((word) => word !== '').join(', ');
      return [{ kind: 'tool-ended', id: textAt(item, 'id'), ...tool, failed, detail }];
    }
  }
}

/** Null for what is no tool. */
function toolOf(item: unknown): { readonly name: string; readonly argument: string } | null {
  const type = textAt(item, 'type');
  switch (type) {
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
