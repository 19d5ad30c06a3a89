/** Reads the lines of `gemini -p --output-format stream-json`. */
import { numberAt, textAt, valueAt } from '../base/json-value.ts';
import { count, errorWords, firstLine, textIn } from './values.ts';
import { usageFrom } from './usage.ts';
import type { Entry, EntryReader } from './entry.ts';
import { mainArgument } from './main-argument.ts';
import { timed } from './timed.ts';
import { turnUsageText } from './usage-text.ts';

export function geminiReader(): EntryReader {
  const tools = new Map<string, { readonly name: string; readonly argument: string }>();
  /** The current message; a tool call ends it. */
  let message = '';
  /** The last error before the result, which does not repeat it. */
  let error = '';

  return timed((line) => {
    switch (textAt(line, 'type')) {
      case 'init': {
        const id = textAt(line, 'session_id');
        const note: Entry = { kind: 'note', text: `gemini, ${textAt(line, 'model')}` };
        return id === '' ? [note] : [{ kind: 'conversation', id }, note];
      }
      case 'message': {
        const text = textIn(valueAt(line, 'content'));
        if (textAt(line, 'role') === 'user') return [{ kind: 'sent', text }];
        if (textAt(line, 'role') !== 'assistant') return [];
        message += text;
        return [{ kind: 'said', text, ...(valueAt(line, 'delta') === true ? { piece: true } : {}) }];
      }
      case 'tool_use': {
        message = '';
        const id = textAt(line, 'tool_id');
        const tool = { name: textAt(line, 'tool_name'), argument: mainArgument(valueAt(line, 'parameters')) };
        tools.set(id, tool);
        return [{ kind: 'tool', id, ...tool }];
      }
      case 'tool_result': {
        const id = textAt(line, 'tool_id');
        const { name, argument } = tools.get(id) ?? { name: 'tool', argument: '' };
        tools.delete(id);
        const failed = textAt(line, 'status') !== 'success';
        const why = textAt(line, 'error', 'message') || textIn(valueAt(line, 'output'));
        const ended: Entry = { kind: 'tool-ended', id, name, argument, failed, detail: failed ? firstLine(why) : '' };
        return [ended, ...refusalIn(line)];
      }
      case 'error': {
        const text = errorWords(valueAt(line, 'message'));
        if (textAt(line, 'severity') === 'warning') return [{ kind: 'note', text }];
        error = text;
        return [{ kind: 'error', text }];
      }
      case 'result': {
        const isDone = textAt(line, 'status') === 'success';
        return [...usageIn(line), isDone ? { kind: 'returned', text: message } : errorIn(line, error)];
      }
      default:
        return [];
    }
  });
}

function errorIn(line: unknown, before: string): Entry {
  const type = valueAt(line, 'error', 'type');
  const words = [
    valueAt(line, 'error', 'message'),
    type === 'unknown' ? undefined : type,
    valueAt(line, 'error', 'code'),
  ];
  return { kind: 'error', text: errorWords(...words) || before || 'it ended with an error' };
}

const refusal =
  /^(?:Path not in workspace|Tool execution denied by policy|Tool execution for .* requires user confirmation)/;

function refusalIn(line: unknown): Entry[] {
  const why = textAt(line, 'error', 'message');
  const asked = textAt(line, 'tool_id').replace(/__.*$/s, '');
  return textAt(line, 'status') === 'error' && refusal.test(why) ? [{ kind: 'refused', asked, why }] : [];
}

function usageIn(line: unknown): Entry[] {
  const stats = valueAt(line, 'stats');
  if (stats === undefined) return [];
  const known = usageFrom({ tokens: count(valueAt(stats, 'total_tokens')) });
  const text = turnUsageText({
    input: numberAt(stats, 'input_tokens'),
    cached: numberAt(stats, 'cached'),
    output: numberAt(stats, 'output_tokens'),
  });
  return [{ kind: 'usage', text, ...(known && { usage: { ...known, source: 'result.stats' } }) }];
}
