/** TurnUpdates: collects an agent's words, its provider's errors and the cost while a turn runs. */
import { providerError } from '../../dialects/acp.ts';
import type { LimitMeter } from '../limit-meter.ts';
import { limits } from '../../contracts/field.ts';
import { textOf, numberOf, objectOf, valueAt } from '../../base/json-value.ts';
import type { Refusal } from './refused-turn.ts';

export interface TurnUpdates {
  take(params: unknown): void;
  /** A permission that the agent was refused. */
  refuse(refusal: Refusal): void;
  /** The refusals after which it said nothing more. */
  unanswered(): readonly Refusal[];
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
  let unanswered: Refusal[] = [];

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
          unanswered = [];
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
    refuse: (refusal) => void unanswered.push(refusal),
    unanswered: () => unanswered,
    said: () => segments.join(''),
    lastWords: () => segments.at(-1) ?? '',
    lastPiece: () => last,
    trouble: () => trouble.join(' '),
    cost: () => cost,
  };
}

const ended = new Set<unknown>(['completed', 'failed']);

/** Counts the model's answers. */
export function meterUpdate(meter: Pick<LimitMeter, 'take'>, params: unknown): void {
  const update = objectOf(objectOf(params)['update']);
  const id = textOf(update['toolCallId']) ?? '';
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return meter.take({ kind: 'said' });
    case 'tool_call':
    case 'tool_call_update':
      // A call may be reported once, with its end.
      if (update['sessionUpdate'] === 'tool_call') meter.take({ kind: 'tool', id });
      if (ended.has(update['status'])) meter.take({ kind: 'tool-ended', id });
      return;
    default:
  }
}
