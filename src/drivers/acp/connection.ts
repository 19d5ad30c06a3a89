/**
 * ACP connection: the only file that uses the ACP library. Passes messages on as they are on the wire: agents are ahead of the
 * protocol's types and behind them, and a message that does not fit a type must neither be lost nor end a conversation.
 */
import { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { type JsonObject, objectOf } from '../../base/json-value.ts';
import type { Pipes } from '../../process/spawn-marked.ts';

export interface AcpHandlers {
  readonly updated: (params: unknown) => void;
  readonly permission: (params: unknown) => Promise<unknown>;
  /** Called with every message, before it is handled. */
  readonly seen: (direction: 'to' | 'from', message: unknown) => void;
}

export interface AcpConnection {
  /** Rejects with `AcpRefusal` if the agent answers with an error, and with another error if the connection is lost. */
  request(method: string, params: object): Promise<JsonObject>;
  notify(method: string, params: object): Promise<void>;
  close(): void;
}

/** An error that the agent answered with. */
export class AcpRefusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Loaded while the program starts: it takes a tenth of a second. */
async function loadAcp(): Promise<typeof import('@agentclientprotocol/sdk')> {
  return import('@agentclientprotocol/sdk');
}

export async function connectAcp({ stdin, stdout }: Pipes, handlers: AcpHandlers): Promise<AcpConnection> {
  const { client, ndJsonStream, RequestError } = await loadAcp();
  const wire = ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>);
  const connection = client({ name: 'divisi' })
    .onNotification('*', () => undefined)
    .onRequest('*', async ({ method, params }) => {
      if (method === 'session/request_permission') return handlers.permission(params);
      throw RequestError.methodNotFound(method);
    })
    .connect(watched(wire, handlers));
  connection.closed.catch(() => undefined);
  return {
    async request(method, params) {
      try {
        const answer: unknown = await connection.agent.request(method, params);
        return objectOf(answer);
      } catch (error) {
        if (error instanceof RequestError) throw new AcpRefusal(error.code, error.message, error.data);
        throw error;
      }
    },
    notify: (method, params) => connection.agent.notify(method, params),
    close: () => connection.close(),
  };
}

/** Keeps messages from the library that it would validate, or complain about on our terminal. */
function watched({ readable, writable }: Stream, { seen, updated }: AcpHandlers): Stream {
  const asked = new Set<unknown>();
  const tap = (
    direction: 'to' | 'from',
    isFor: (message: AnyMessage) => boolean,
  ): TransformStream<AnyMessage, AnyMessage> =>
    new TransformStream({
      transform(message, controller) {
        seen(direction, message);
        if (isFor(message)) controller.enqueue(message);
      },
    });
  const out = tap('to', (message) => {
    if ('method' in message && 'id' in message) asked.add(message.id);
    return true;
  });
  const into = tap('from', (message) => {
    if ('method' in message && message.method === 'session/update') {
      updated('params' in message ? message.params : undefined);
      return false;
    }
    // Drops an answer without a request.
    return 'method' in message || asked.delete('id' in message ? message.id : undefined);
  });
  // It ends with the process, which the driver watches itself.
  out.readable.pipeTo(writable).catch(() => undefined);
  return { readable: readable.pipeThrough(into), writable: out.writable };
}
