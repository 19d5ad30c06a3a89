/** Anthropic Messages: `POST /v1/messages`. */
import type { Answer, Dialect, StreamEvent } from './dialect.ts';
import { object, objects, string, textOf } from './fields.ts';
import type { Message } from './script.ts';

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function messagesOf(role: unknown, content: unknown): readonly Message[] {
  if (typeof content === 'string') return [{ role: role === 'assistant' ? 'assistant' : 'user', text: content }];
  const parts = objects(content);
  const results = parts
    .filter(({ type }) => type === 'tool_result')
    .map((part) => ({ role: 'tool' as const, text: textOf(part['content']) }));
  const rest = parts.filter(({ type }) => type !== 'tool_result');
  const text = textOf(rest);
  if (role === 'assistant') return [{ role, text }];
  return [...results, ...(text ? [{ role: role === 'system' ? ('system' as const) : ('user' as const), text }] : [])];
}

function opened({ id, model, usage }: Answer): StreamEvent {
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      cache_read_input_tokens: usage.cached,
      cache_creation_input_tokens: 0,
      output_tokens: 1,
    },
  };
  return { event: 'message_start', data: { type: 'message_start', message } };
}

function blocksOf({ id, text, calls }: Answer): readonly { type: string; [key: string]: unknown }[] {
  const said = text || calls.length === 0 ? [{ type: 'text', text }] : [];
  return [...said, ...calls.map(({ name, input }, at) => ({ type: 'tool_use', id: `toolu_${id}_${at}`, name, input }))];
}

function blockEvents(block: { type: string; [key: string]: unknown }, index: number): readonly StreamEvent[] {
  const [empty, delta] =
    block.type === 'text'
      ? [
          { ...block, text: '' },
          { type: 'text_delta', text: block['text'] },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) },
        ];
  return [
    { event: 'content_block_start', data: { type: 'content_block_start', index, content_block: empty } },
    { event: 'content_block_delta', data: { type: 'content_block_delta', index, delta } },
    { event: 'content_block_stop', data: { type: 'content_block_stop', index } },
  ];
}

const stopReason = ({ calls, isRefusal }: Answer): string =>
  isRefusal === true ? 'refusal' : calls.length > 0 ? 'tool_use' : 'end_turn';

export const anthropic: Dialect = {
  read: (body) => ({
    model: string(body['model']),
    streams: body['stream'] === true,
    tools: objects(body['tools']).map((tool) => ({ name: string(tool['name']), schema: object(tool['input_schema']) })),
    messages: [
      { role: 'system', text: textOf(body['system']) },
      ...objects(body['messages']).flatMap(({ role, content }) => messagesOf(role, content)),
    ],
  }),
  whole: (answer) => ({
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: blocksOf(answer),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: {
      input_tokens: answer.usage.input,
      cache_read_input_tokens: answer.usage.cached,
      cache_creation_input_tokens: 0,
      output_tokens: answer.usage.output,
    },
  }),
  stream: (answer) => [
    opened(answer),
    ...blocksOf(answer).flatMap(blockEvents),
    {
      event: 'message_delta',
      data: {
        type: 'message_delta',
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: {
          input_tokens: answer.usage.input,
          cache_read_input_tokens: answer.usage.cached,
          cache_creation_input_tokens: 0,
          output_tokens: answer.usage.output,
        },
      },
    },
    { event: 'message_stop', data: { type: 'message_stop' } },
  ],
  opening: (answer) => [opened(answer)],
  error: (status, message) => ({ type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } }),
};
