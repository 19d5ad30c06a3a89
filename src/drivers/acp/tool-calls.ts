/** What an agent has told of its tool calls, by their ids: the last ones only. */
import { type JsonObject, objectOf, textOf } from '../json-value.ts';

export interface ToolCalls {
  take(params: unknown): void;
  /** A call with what was told of it before. */
  with(call: JsonObject): JsonObject;
}

const most = 100;

export function toolCalls(): ToolCalls {
  const known = new Map<string, JsonObject>();
  const merged = (call: JsonObject): JsonObject => {
    const told = Object.entries(call).filter(([, value]) => value !== null && value !== undefined);
    return { ...known.get(textOf(call['toolCallId']) ?? ''), ...(Object.fromEntries(told) as JsonObject) };
  };
  return {
    take(params) {
      const update = objectOf(objectOf(params)['update']);
      const id = textOf(update['toolCallId']);
      if (id === undefined) return;
      // What a tool gave back may be large, and says nothing about what it is.
      const { rawOutput: _, content: __, ...call } = merged(update);
      known.delete(id);
      known.set(id, call);
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
    with: merged,
  };
}
