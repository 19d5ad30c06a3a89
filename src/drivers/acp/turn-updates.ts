/** TurnUpdates: collects an agent's words, its provider's errors and the cost while a turn runs. */
import { providerError } from '../../dialects/acp.ts';
import { limits } from '../../contracts/field.ts';
import { textOf, numberOf, objectOf, valueAt } from '../../base/json-value.ts';

export interface TurnUpdates {
  take(params: unknown): void;
  /** Everything it said, in order. */
  said(): string;
  /** The words after its last tool call. Earlier words are thinking aloud. */
  lastWords(): string;
  /** The last piece of those: a client that reports an error as the agent's words does so in one piece. */
  lastPiece(): string;
  /** The client's report of a failed provider; empty for none. */
  trouble(): string;
  /** Cost of the conversation so far, if reported. */
  cost(): number | undefined;
}

/** `heard` receives each piece of the agent's words, to show them live. */
export function turnUpdates(heard: (text: string) => void, noise?: RegExp): TurnUpdates {
  const segments: string[] = [];
  const trouble: string[] = [];
  let isNew = true;
  let length = 0;
  let last = '';
  let cost: number | undefined;

  return {
    take(params) {
      const update = objectOf(objectOf(params)['update']);
      switch (update['sessionUpdate']) {
        case 'agent_message_chunk': {
          const text = textOf(objectOf(update['content'])['text']) ?? '';
          // Anything longer than a return is rejected later: it is not kept in memory.
          if (text === '' || length > limits.input || noise?.test(text) === true) return;
          length += text.length;
          last = text;
          if (isNew) segments.push('');
          isNew = false;
          segments.push((segments.pop() ?? '') + text);
          return heard(text);
        }
        case 'tool_call':
          isNew = true;
          return;
        case 'usage_update':
          cost = numberOf(valueAt(update, 'cost', 'amount')) ?? cost;
          return;
        case 'session_info_update': {
          const failure = providerError(update);
          if (failure?.willRetry === false) trouble.push(JSON.stringify(failure.error));
          if (valueAt(update, '_meta', 'codex', 'threadStatus', 'type') === 'systemError') trouble.push('systemError');
          return;
        }
        default:
      }
    },
    said: () => segments.join(''),
    lastWords: () => segments.at(-1) ?? '',
    lastPiece: () => last,
    trouble: () => trouble.join(' '),
    cost: () => cost,
  };
}
