/** OpenAI Chat Completions: `POST /v1/chat/completions`. */
import type { Answer, Dialect } from './dialect.ts';
import { object, objects, string, textOf } from './fields.ts';
import { responses } from './responses.ts';
import type { JsonObject, Message } from './script.ts';

const roles: Readonly<Record<string, Message['role']>> = { user: 'user', assistant: 'assistant', tool: 'tool' };

function callsOf({ id, calls }: Answer): readonly JsonObject[] {
  return calls.map(({ name, input }, index) => ({
    index,
    id: `call_${id}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
}

function usageOf({ usage }: Answer): JsonObject {
  return {
    prompt_tokens: usage.input + usage.cached,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.cached + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}

const finish = ({ calls, isRefusal }: Answer): string =>
  isRefusal === true ? 'content_filter' : calls.length > 0 ? 'tool_calls' : 'stop';

function chunk({ id, model }: Answer, choices: readonly JsonObject[], usage: JsonObject | null = null): JsonObject {
  return { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1_700_000_000, model, choices, usage };
}

const delta = (delta: JsonObject, reason: string | null = null): JsonObject => ({
  index: 0,
  delta,
  finish_reason: reason,
});

export const chat: Dialect = {
  read: (body) => ({
    model: string(body['model']),
    streams: body['stream'] === true,
    tools: objects(body['tools']).map((tool) => {
      const { name, parameters } = object(tool['function']);
      return { name: string(name), schema: object(parameters) };
    }),
    messages: objects(body['messages']).map(({ role, content }) => ({
      role: roles[string(role)] ?? 'system',
      text: textOf(content),
    })),
  }),
  whole: (answer) => ({
    id: `chatcmpl-${answer.id}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: answer.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text || null,
          ...(answer.calls.length > 0 && { tool_calls: callsOf(answer) }),
        },
        finish_reason: finish(answer),
      },
    ],
    usage: usageOf(answer),
  }),
  stream: (answer) => [
    { data: chunk(answer, [delta({ role: 'assistant', content: answer.text })]) },
    ...callsOf(answer).map((call) => ({ data: chunk(answer, [delta({ tool_calls: [call] })]) })),
    { data: chunk(answer, [delta({}, finish(answer))]) },
    { data: chunk(answer, [], usageOf(answer)) },
    { data: '[DONE]' },
  ],
  opening: (answer) => [{ data: chunk(answer, [delta({ role: 'assistant', content: '' })]) }],
  error: responses.error,
};
