/**
 * A model API on 127.0.0.1 that speaks the dialects of four vendors and does what a script says. It records every call, those
 * that a program makes for itself included, and every other address that a program asks for.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import { runCall, submitCall, writeCall } from './choose-tool.ts';
import type { Answer, Dialect, StreamEvent } from './dialect.ts';
import { gemini } from './gemini.ts';
import { object } from './fields.ts';
import { responses } from './responses.ts';
import type { DialectName, Message, ModelRequest, Script, Step, Tokens } from './script.ts';

export interface ModelApi {
  /** Without a path. */
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** `METHOD path` of whatever was no model call. */
  readonly others: readonly string[];
  /** What the script could not do, such as calling a tool that was not offered. */
  readonly faults: readonly string[];
  /** Resolves when this many model calls have arrived. */
  readonly called: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const dialects: Readonly<Record<DialectName, Dialect>> = { anthropic, responses, chat, gemini };
const usual: Tokens = { input: 100, output: 10, cached: 0 };

function dialectOf(method: string, path: string): DialectName | null {
  if (method !== 'POST') return null;
  if (/\/messages(\?|$)/.test(path)) return 'anthropic';
  if (/\/responses(\?|$)/.test(path)) return 'responses';
  if (/\/chat\/completions(\?|$)/.test(path)) return 'chat';
  return /:(stream)?[gG]enerateContent(\?|$)/.test(path) ? 'gemini' : null;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const raw = await buffer(request);
  const encoding = request.headers['content-encoding'];
  const plain = encoding === 'gzip' ? gunzipSync(raw) : encoding === 'zstd' ? zstdDecompressSync(raw) : raw;
  return plain.length === 0 ? {} : JSON.parse(plain.toString('utf8'));
}

/** Answers, not messages: calls that were made together are one. */
function answersIn(messages: readonly Message[]): number {
  return messages.filter(({ role }, at) => role === 'assistant' && messages[at - 1]?.role !== 'assistant').length;
}

function resultsIn(messages: readonly Message[]): readonly string[] {
  const from = messages.findLastIndex(({ role }) => role === 'assistant') + 1;
  return messages
    .slice(from)
    .filter(({ role }) => role === 'tool')
    .map(({ text }) => text);
}

type Answering = Exclude<Step, { does: 'fail' | 'stall' | 'wait' }>;

/** Of the Responses dialect. */
function wantsJson({ body }: ModelRequest): boolean {
  return object(object(body['text'])['format'])['type'] === 'json_schema';
}

function said(request: ModelRequest, step: Answering): Pick<Answer, 'text' | 'calls' | 'isRefusal'> {
  switch (step.does) {
    case 'refuse':
      return { text: '', calls: [], isRefusal: true };
    case 'say':
      return { text: step.text, calls: [] };
    case 'call':
      return { text: step.text ?? '', calls: step.calls };
    case 'write':
      return { text: '', calls: [writeCall(request.tools, step.path, step.text)] };
    case 'run':
      return { text: '', calls: [runCall(request.tools, step.command)] };
    case 'return': {
      const call = submitCall(request.tools, step.result);
      if (call !== null) return { text: '', calls: [call] };
      return { text: wantsJson(request) ? JSON.stringify(step.result) : step.words, calls: [] };
    }
    default:
      return step satisfies never;
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function sendEvents(response: ServerResponse, events: readonly StreamEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
}

async function perform(request: ModelRequest, step: Step, response: ServerResponse): Promise<void> {
  const dialect = dialects[request.dialect];
  const bare: Answer = {
    id: `scripted${request.index}`,
    model: request.model,
    text: '',
    calls: [],
    usage: { ...usual, ...step.usage },
  };
  switch (step.does) {
    case 'wait':
      await after(step.milliseconds);
      return perform(request, step.then, response);
    case 'fail':
      return sendJson(
        response,
        step.status,
        step.body ?? dialect.error(step.status, step.message ?? `scripted ${step.status}`),
        step.headers,
      );
    case 'stall':
      return sendEvents(response, dialect.opening(bare));
    case 'say':
    case 'refuse':
    case 'call':
    case 'write':
    case 'run':
    case 'return': {
      const answer: Answer = { ...bare, ...said(request, step) };
      if (!request.streams) return sendJson(response, 200, dialect.whole(answer));
      sendEvents(response, dialect.stream(answer));
      response.end();
      return;
    }
    default:
      return step satisfies never;
  }
}

function listModels(response: ServerResponse): void {
  const data = ['mock-codex', 'mock-opencode', 'mock-goose', 'mock-copilot'].map((id) => ({ id, object: 'model' }));
  sendJson(response, 200, { object: 'list', data });
}

export async function startModelApi(script: Script): Promise<ModelApi> {
  const requests: ModelRequest[] = [];
  const others: string[] = [];
  const faults: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];

  async function take(dialect: DialectName, incoming: IncomingMessage, path: string): Promise<ModelRequest> {
    const body = object(await bodyOf(incoming));
    const conversation = dialects[dialect].read(body, path);
    const { messages } = conversation;
    const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
    const request: ModelRequest = {
      ...conversation,
      dialect,
      index: requests.length,
      turn: answersIn(messages),
      system: system.join('\n'),
      results: resultsIn(messages),
      headers: incoming.headers,
      path,
      body,
    };
    requests.push(request);
    waiting.filter(({ count }) => count <= requests.length).forEach(({ resolve }) => resolve());
    return request;
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '/' } = incoming;
    const dialect = dialectOf(method, path);
    if (dialect !== null) {
      const request = await take(dialect, incoming, path);
      return perform(request, await script(request), response);
    }
    others.push(`${method} ${path}`);
    if (method === 'HEAD') return void response.writeHead(200).end();
    if (method === 'GET' && /\/models(\?|$)/.test(path)) return listModels(response);
    sendJson(response, 404, { error: { message: 'not found', code: 404, type: 'not_found_error' } });
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      faults.push(String(error));
      if (response.headersSent) response.destroy();
      else sendJson(response, 400, { error: { message: String(error), code: 400, type: 'invalid_request_error' } });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    others,
    faults,
    called: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
