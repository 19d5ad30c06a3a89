/** Remembers what an agent reported about its latest tool calls, by id. */
import { type JsonObject, objectOf, textOf } from '../../base/json-value.ts';

export interface ToolCalls {
  take(params: unknown): void;
  /** The call, merged with earlier reports of it. */
  with(call: JsonObject): JsonObject;
}

const most = 100;

export function toolCalls(): ToolCalls {
  const known = new Map<string, JsonObject>();
  const merged = (call: JsonObject): JsonObject => {
    const given = Object.entries(call).filter(([, value]) => value !== null && value !== undefined);
    return { ...known.get(textOf(call['toolCallId']) ?? ''), ...(Object.fromEntries(given) as JsonObject) };
  };
  return {
    take(params) {
      const update = objectOf(objectOf(params)['update']);
      const id = textOf(update['toolCallId']);
      if (id === undefined) return;
      // The output says nothing about the kind of call; the input may be large.
      const { rawOutput: _, content: __, ...call } = merged(update);
      if ('rawInput' in call) Object.assign(call, { rawInput: cut(call['rawInput'], 4) });
      known.delete(id);
      known.set(id, call);
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
    with: merged,
  };
}

const mostText = 4096;
const mostParts = 100;

/** Placeholder in a call's input for omitted values. */
export const leftOut = Symbol('left out');

function cut(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, mostText);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return leftOut;
  if (Array.isArray(value)) {
    const parts = value.slice(0, mostParts).map((one) => cut(one, depth - 1));
    return value.length > mostParts ? [...parts, leftOut] : parts;
  }
  const entries = Object.entries(value);
  const parts = entries.slice(0, mostParts).map(([key, one]) => [key, cut(one, depth - 1)]);
  return Object.fromEntries(entries.length > mostParts ? [...parts, ['more', leftOut]] : parts);
}
