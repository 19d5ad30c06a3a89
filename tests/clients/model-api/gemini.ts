/** Gemini: `POST /v1beta/models/MODEL:streamGenerateContent?alt=sse` and `:generateContent`. */
import type { Answer, Dialect } from './dialect.ts';
import { object, objects, string, textOf } from './fields.ts';
import type { JsonObject, Message } from './script.ts';

const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

function messagesOf({ role, parts }: JsonObject): readonly Message[] {
  const all = objects(parts);
  if (role === 'model') return [{ role: 'assistant', text: textOf(all) }];
  const results = all
    .map(({ functionResponse }) => object(functionResponse))
    .filter((response) => 'response' in response)
    .map(({ response }) => ({ role: 'tool' as const, text: JSON.stringify(response) }));
  const text = textOf(all);
  return [...results, ...(text ? [{ role: 'user' as const, text }] : [])];
}

function answered({ id, model, text, calls, usage, isRefusal }: Answer, ended: boolean): JsonObject {
  const parts = [
    ...(text || calls.length === 0 ? [{ text }] : []),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ];
  return {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts },
        ...(ended && { finishReason: isRefusal === true ? 'SAFETY' : 'STOP' }),
      },
    ],
    usageMetadata: {
      promptTokenCount: usage.input + usage.cached,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.cached + usage.output,
    },
    modelVersion: model,
    responseId: id,
  };
}

export const gemini: Dialect = {
  read: (body, path) => ({
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    streams: path.includes(':stream'),
    tools: objects(body['tools']).flatMap(({ functionDeclarations }) =>
      objects(functionDeclarations).map((tool) => ({
        name: string(tool['name']),
        schema: object(tool['parametersJsonSchema'] ?? tool['parameters']),
      })),
    ),
    messages: [
      { role: 'system', text: textOf(object(body['systemInstruction'])['parts']) },
      ...objects(body['contents']).flatMap(messagesOf),
    ],
  }),
  whole: (answer) => answered(answer, true),
  stream: (answer) => [{ data: answered(answer, true) }],
  opening: (answer) => [{ data: answered({ ...answer, text: '', calls: [] }, false) }],
  error: (status, message) => ({ error: { code: status, message, status: statuses[status] ?? 'INTERNAL' } }),
};
