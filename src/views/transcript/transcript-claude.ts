/** `claude -p --output-format stream-json`. */
import type { Entry, EntryReader } from './transcript-entry.ts';
import { valueAt, listAt, numberAt, textAt } from '../../base/json-value.ts';
import { mainArgument } from './transcript-tool.ts';
import { usageText } from './transcript-usage.ts';
import { firstLine, textIn } from './transcript-values.ts';
import { timed } from './transcript-timed.ts';
import { shortDuration } from '../text/quantity.ts';

export function claudeReader(): EntryReader {
  const tools = new Map<string, { readonly name: string; readonly argument: string }>();
  let directory = '';

  function block(one: unknown): Entry[] {
    switch (textAt(one, 'type')) {
      case 'text':
        return [{ kind: 'said', text: textAt(one, 'text') }];
      case 'thinking':
        return [{ kind: 'thought', text: textAt(one, 'thinking') }];
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use': {
        const id = textAt(one, 'id');
        const tool = { name: textAt(one, 'name'), argument: mainArgument(valueAt(one, 'input'), directory) };
        tools.set(id, tool);
        return [{ kind: 'tool', id, ...tool }];
      }
      case 'tool_result': {
        const id = textAt(one, 'tool_use_id');
        const { name, argument } = tools.get(id) ?? { name: 'tool', argument: '' };
        tools.delete(id);
        const failed = valueAt(one, 'is_error') === true;
        const detail = failed ? firstLine(textIn(valueAt(one, 'content'))) : '';
        return [{ kind: 'tool-ended', id, name, argument, failed, detail }];
      }
      default:
        return [];
    }
  }

  function entries(message: unknown): readonly Entry[] {
    switch (textAt(message, 'type')) {
      case 'system':
        if (textAt(message, 'subtype') === 'init') directory = textAt(message, 'cwd') || directory;
        return system(message);
      case 'assistant': {
        const error = textAt(message, 'error');
        const all = listAt(message, 'message', 'content').flatMap(block);
        return error === '' ? all : [...all, { kind: 'error', text: error }];
      }
      case 'user':
        return listAt(message, 'message', 'content')
          .flatMap(block)
          .filter(({ kind }) => kind === 'tool-ended');
      case 'rate_limit_event':
        return rateLimit(valueAt(message, 'rate_limit_info'));
      case 'result':
        return ended(message);
      default:
        return [];
    }
  }

  return timed(entries);
}

function system(message: unknown): Entry[] {
  switch (textAt(message, 'subtype')) {
    case 'init': {
      const version = textAt(message, 'claude_code_version');
      const words = [`claude ${version}`, textAt(message, 'model'), textAt(message, 'permissionMode')];
      return [{ kind: 'note', text: words.filter((word) => word.trim() !== '').join(', ') }];
    }
    case 'api_retry': {
      const [attempt, of] = [textAt(message, 'attempt'), textAt(message, 'max_retries')];
      const delay = numberAt(message, 'retry_delay_ms');
      const why = [textAt(message, 'error_status'), textAt(message, 'error')].filter((word) => word !== '').join(' ');
      const which = attempt === '' ? '' : `attempt ${attempt}${of === '' ? '' : ` of ${of}`} failed`;
      const when = delay === undefined ? '' : `tries again in ${shortDuration(delay)}`;
      return [{ kind: 'waits', text: [why, which, when].filter((word) => word !== '').join(', ') }];
    }
    case 'compact_boundary':
      return [{ kind: 'note', text: 'the conversation was compacted' }];
    default:
      return [];
  }
}

/** Those that only say that all is well are left out. */
function rateLimit(info: unknown): Entry[] {
  const status = textAt(info, 'status');
  if (status === '' || status === 'allowed') return [];
  const resets = numberAt(info, 'resetsAt');
  const until = resets === undefined || resets > 1e11 ? '' : `, until ${new Date(resets * 1000).toISOString()}`;
  return [{ kind: status === 'allowed_warning' ? 'note' : 'waits', text: `rate limit: ${status}${until}` }];
}

function ended(message: unknown): Entry[] {
  const usage = usageText({
    input: numberAt(message, 'usage', 'input_tokens'),
    cached: numberAt(message, 'usage', 'cache_read_input_tokens'),
    output: numberAt(message, 'usage', 'output_tokens'),
    cost: numberAt(message, 'total_cost_usd'),
  });
  const entries: Entry[] = usage === '' ? [] : [{ kind: 'usage', text: usage }];
  for (const denied of listAt(message, 'permission_denials')) {
    entries.push({ kind: 'note', text: `${textAt(denied, 'tool_name')} was not permitted` });
  }
  if (valueAt(message, 'is_error') !== true) return entries;
  const words = [textAt(message, 'api_error_status'), textAt(message, 'result'), textIn(valueAt(message, 'errors'))];
  const said = words.find((word, place) => place > 0 && word !== '') ?? textAt(message, 'terminal_reason');
  return [...entries, { kind: 'error', text: [words[0], said].filter((word) => word !== '').join(' ') }];
}
