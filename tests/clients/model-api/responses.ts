/** OpenAI Responses: `POST /v1/responses`. */
import type { Answer, Dialect, StreamEvent } from './dialect.ts';
import { object, objects, string, textOf } from './fields.ts';
import type { JsonObject, Message, OfferedTool } from './script.ts';

const errorCodes: Readonly<Record<number, string>> = { 401: 'invalid_api_key', 429: 'rate_limit_exceeded' };

function toolsOf(tool: JsonObject, namespace?: string): readonly OfferedTool[] {
  const name = string(tool['name']);
  switch (tool['type']) {
    case 'namespace':
      return objects(tool['tools']).flatMap((inner) => toolsOf(inner, name));
    case 'custom':
      return [{ name, schema: {}, freeform: true }];
    case 'function':
      return [{ name, schema: object(tool['parameters']), ...(namespace && { namespace }) }];
    default:
      return [];
  }
}

function messageOf(item: JsonObject): Message | null {
  switch (item['type']) {
    case 'function_call':
    case 'custom_tool_call':
      return { role: 'assistant', text: '' };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', text: textOf(item['output']) };
    case 'message':
    case undefined: {
      const role = item['role'];
      const text = textOf(item['content']);
      if (role === 'assistant' || role === 'user') return { role, text };
      return { role: 'system', text };
    }
    default:
      return null;
  }
}

function itemsOf({ id, text, calls }: Answer): readonly JsonObject[] {
  const said = {
    type: 'message',
    id: `msg_${id}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  return [
    ...(text || calls.length === 0 ? [said] : []),
    ...calls.map(({ name, namespace, input }, at) => {
      const call = { id: `fc_${id}_${at}`, call_id: `call_${id}_${at}`, name, status: 'completed' };
      return typeof input === 'string'
        ? { type: 'custom_tool_call', ...call, input }
        : { type: 'function_call', ...call, ...(namespace && { namespace }), arguments: JSON.stringify(input) };
    }),
  ];
}

const named = (type: string, data: JsonObject): StreamEvent => ({ event: type, data: { type, ...data } });

function itemEvents(item: JsonObject, index: number): readonly StreamEvent[] {
  const at = { item_id: item['id'], output_index: index };
  const done = named('response.output_item.done', { output_index: index, item });
  if (item['type'] !== 'message') {
    const added = { ...item, ...('arguments' in item ? { arguments: '' } : { input: '' }), status: 'in_progress' };
    const json = item['arguments'];
    return [
      named('response.output_item.added', { output_index: index, item: added }),
      ...(json === undefined
        ? []
        : [
            named('response.function_call_arguments.delta', { ...at, delta: json }),
            named('response.function_call_arguments.done', { ...at, arguments: json }),
          ]),
      done,
    ];
  }
  const [part] = objects(item['content']);
  const inPart = { ...at, content_index: 0 };
  return [
    named('response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress', content: [] } }),
    named('response.content_part.added', { ...inPart, part: { ...part, text: '' } }),
    named('response.output_text.delta', { ...inPart, delta: part?.['text'] }),
    named('response.output_text.done', { ...inPart, text: part?.['text'] }),
    named('response.content_part.done', { ...inPart, part }),
    done,
  ];
}

function whole(answer: Answer, status: 'in_progress' | 'completed' | 'incomplete'): JsonObject {
  const { id, model, usage } = answer;
  const completed = status !== 'in_progress';
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_700_000_000,
    status,
    model,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'content_filter' } : null,
    output: completed ? itemsOf(answer) : [],
    usage: completed
      ? {
          input_tokens: usage.input + usage.cached,
          input_tokens_details: { cached_tokens: usage.cached },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: usage.input + usage.cached + usage.output,
        }
      : null,
  };
}

function opening(answer: Answer): readonly StreamEvent[] {
  const response = whole(answer, 'in_progress');
  return [named('response.created', { response }), named('response.in_progress', { response })];
}

export const responses: Dialect = {
  read: (body) => ({
    model: string(body['model']),
    streams: body['stream'] === true,
    tools: objects(body['tools']).flatMap((tool) => toolsOf(tool)),
    messages: [
      { role: 'system', text: string(body['instructions']) },
      ...(typeof body['input'] === 'string'
        ? [{ role: 'user' as const, text: body['input'] }]
        : objects(body['input']).flatMap((item) => messageOf(item) ?? [])),
    ],
  }),
  whole: (answer) => whole(answer, answer.isRefusal === true ? 'incomplete' : 'completed'),
  stream: (answer) => [
    ...opening(answer),
    ...itemsOf(answer).flatMap(itemEvents),
    answer.isRefusal === true
      ? named('response.incomplete', { response: whole(answer, 'incomplete') })
      : named('response.completed', { response: whole(answer, 'completed') }),
  ],
  opening,
  error: (status, message) => ({
    error: {
      message,
      type: status < 500 ? 'invalid_request_error' : 'server_error',
      param: null,
      code: errorCodes[status] ?? null,
    },
  }),
};
