/** What an agent tells while a turn lasts: its words, an error of its provider, what the conversation has cost. */
import { limits } from '../../contracts/field.ts';
import { textOf, numberOf, objectOf, valueAt } from '../../base/json-value.ts';

export interface TurnUpdates {
  take(params: unknown): void;
  /** All it has said, in order. */
  said(): string;
  /** What it said last: after its last tool call. What it says before is thinking aloud. */
  lastWords(): string;
  /** The last piece of that: a client that puts an error where its agent's words belong does so in one piece. */
  lastPiece(): string;
  /** What its client says about a provider that failed. */
  trouble(): string;
  /** Of the conversation so far, where the client tells. */
  cost(): number | undefined;
}

/** `heard` gets each piece of what the agent says, for people who look on. */
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
          // More than a return may have is refused as too large, and is not kept in memory.
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
          const told = valueAt(update, '_meta', 'codex', 'error');
          // What the client tries again by itself is no failure yet.
          if (told !== undefined && valueAt(told, 'willRetry') !== true) trouble.push(JSON.stringify(told));
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
