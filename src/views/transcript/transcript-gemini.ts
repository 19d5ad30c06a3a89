/** `gemini -p --output-format stream-json`. */
import type { Entry, EntryReader } from './transcript-entry.ts';
import { valueAt, numberAt, textAt } from '../../base/json-value.ts';
import { mainArgument } from './transcript-tool.ts';
import { usageText } from './transcript-usage.ts';
import { firstLine, textIn } from './transcript-values.ts';
import { timed } from './transcript-timed.ts';

export function geminiReader(): EntryReader {
  const tools = new Map<string, { readonly name: string; readonly argument: string }>();

  function entries(message: unknown): readonly Entry[] {
    switch (textAt(message, 'type')) {
      case 'init':
        return [{ kind: 'note', text: `gemini, ${textAt(message, 'model')}` }];
      case 'message': {
        const text = textIn(valueAt(message, 'content'));
        if (textAt(message, 'role') === 'user') return [{ kind: 'sent', text }];
        return [{ kind: 'said', text, ...(valueAt(message, 'delta') === true ? { piece: true } : {}) }];
      }
      case 'tool_use': {
        const id = textAt(message, 'tool_id');
        const tool = { name: textAt(message, 'tool_name'), argument: mainArgument(valueAt(message, 'parameters')) };
        tools.set(id, tool);
        return [{ kind: 'tool', id, ...tool }];
      }
      case 'tool_result': {
        const id = textAt(message, 'tool_id');
        const { name, argument } = tools.get(id) ?? { name: 'tool', argument: '' };
        tools.delete(id);
        const failed = textAt(message, 'status') !== 'success';
        const why = textAt(message, 'error', 'message') || textIn(valueAt(message, 'output'));
        return [{ kind: 'tool-ended', id, name, argument, failed, detail: failed ? firstLine(why) : '' }];
      }
      case 'error':
        return [{ kind: 'error', text: textAt(message, 'message') }];
      case 'result':
        return ended(message);
      default:
        return [];
    }
  }

  return timed(entries);
}

function ended(message: unknown): Entry[] {
  const usage = usageText({
    input: numberAt(message, 'stats', 'input_tokens'),
    cached: numberAt(message, 'stats', 'cached'),
    output: numberAt(message, 'stats', 'output_tokens'),
  });
  const entries: Entry[] = usage === '' ? [] : [{ kind: 'usage', text: usage }];
  if (textAt(message, 'status') === 'success') return entries;
  return [...entries, { kind: 'error', text: textAt(message, 'error', 'message') || textAt(message, 'status') }];
}
