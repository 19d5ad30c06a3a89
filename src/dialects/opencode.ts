/**
 * Reads the lines of `opencode run --format json`. A tool is reported once it ended, usage after every step. No line marks the
 * end of a turn: the last step says why it stopped.
 */
import { numberAt, textAt, valueAt } from '../base/json-value.ts';
import { count, errorWords, firstLine, joined } from './values.ts';
import { usageFrom } from './usage.ts';
import type { Entry, EntryReader } from './entry.ts';
import { mainArgument } from './main-argument.ts';
import { timed } from './timed.ts';
import { turnUsageText } from './usage-text.ts';

export function opencodeReader(): EntryReader {
  let conversation = '';
  /** The current message; each step is one. */
  let texts: string[] = [];
  const shown = { input: 0, cached: 0, output: 0, cost: 0 };
  let tokens = 0;
  let cost = 0;

  function usage(part: unknown, reason: string): Entry[] {
    if (valueAt(part, 'tokens') === undefined) return [];
    shown.input += numberAt(part, 'tokens', 'input') ?? 0;
    shown.cached += numberAt(part, 'tokens', 'cache', 'read') ?? 0;
    shown.output += numberAt(part, 'tokens', 'output') ?? 0;
    shown.cost += numberAt(part, 'cost') ?? 0;
    tokens += tokensIn(valueAt(part, 'tokens'));
    cost += count(valueAt(part, 'cost'));
    const known = { ...usageFrom({ tokens, cost }), source: 'step_finish' };
    return [
      {
        kind: 'usage',
        text: reason === 'tool-calls' ? '' : turnUsageText(shown),
        usage: reason === 'stop' ? known : { ...known, isPartial: true },
      },
    ];
  }

  function stepEnd(part: unknown): Entry[] {
    const reason = textAt(part, 'reason');
    const used = usage(part, reason);
    if (reason === 'stop') return [...used, { kind: 'returned', text: texts.join('\n\n') }];
    if (reason === 'tool-calls') return used;
    return [...used, { kind: 'error', text: `it stopped: ${reason || 'an unknown reason'}` }];
  }

  function entries(line: unknown): Entry[] {
    const part = valueAt(line, 'part');
    switch (textAt(line, 'type')) {
      case 'step_start':
        texts = [];
        return [{ kind: 'answer-begun' }];
      case 'text':
        // The client's own prompt to continue after it compacted the conversation.
        if (valueAt(part, 'synthetic') === true) return [{ kind: 'note', text: firstLine(textAt(part, 'text')) }];
        texts.push(textAt(part, 'text'));
        return [{ kind: 'said', text: textAt(part, 'text') }];
      case 'reasoning':
        return [{ kind: 'thought', text: textAt(part, 'text') }];
      case 'tool_use':
        return [toolEnded(part), ...refusalIn(part)];
      case 'step_finish':
        return stepEnd(part);
      case 'error':
        return [{ kind: 'error', text: errorText(valueAt(line, 'error')) }];
      default:
        return [];
    }
  }

  return timed((line) => {
    const id = textAt(line, 'sessionID');
    if (id === '' || id === conversation) return entries(line);
    conversation = id;
    return [{ kind: 'conversation', id }, ...entries(line)];
  });
}

function toolEnded(part: unknown): Entry {
  const code = numberAt(part, 'state', 'metadata', 'exit') ?? 0;
  return {
    kind: 'tool-ended',
    id: textAt(part, 'callID'),
    name: textAt(part, 'tool'),
    argument: mainArgument(valueAt(part, 'state', 'input')),
    failed: code !== 0 || textAt(part, 'state', 'status') === 'error',
    detail: joined(', ', code === 0 ? '' : `exit code ${code}`, firstLine(textAt(part, 'state', 'error'))),
  };
}

const refusal = /^(?:The user has specified a rule which prevents|The user rejected permission)/;

function refusalIn(part: unknown): Entry[] {
  const error = textAt(part, 'state', 'error');
  if (textAt(part, 'state', 'status') !== 'error' || !refusal.test(error)) return [];
  const why = error.replace(/ Here are some of the relevant rules.*$/s, '');
  return [{ kind: 'refused', asked: textAt(part, 'tool'), why }];
}

function errorText(error: unknown): string {
  const status = numberAt(error, 'data', 'statusCode');
  const after = textAt(error, 'data', 'responseHeaders', 'retry-after');
  return (
    errorWords(
      valueAt(error, 'data', 'message') ?? valueAt(error, 'message'),
      valueAt(error, 'name'),
      status === undefined ? undefined : `statusCode ${status}`,
      after === '' ? undefined : `retry-after: ${after}`,
    ) || 'an error without words'
  );
}

function tokensIn(value: unknown): number {
  const total = valueAt(value, 'total');
  if (typeof total === 'number') return count(total);
  const parts = [valueAt(value, 'input'), valueAt(value, 'output'), valueAt(value, 'reasoning')];
  const all = [...parts, valueAt(value, 'cache', 'read'), valueAt(value, 'cache', 'write')];
  return all.reduce<number>((sum, one) => sum + count(one), 0);
}
