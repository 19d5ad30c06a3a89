/**
 * Loopback server: an HTTP server on the loopback interface. Serves only requests with both the path and the token of a door: no
 * web page whose host name points here (host, origin), and no other program of this machine. Answers everything else with a bare
 * status; repeats and logs nothing of it.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { limits } from '../../contracts/field.ts';

export interface Door {
  readonly token: string;
  readonly handle: (request: Request) => Promise<Response>;
}

export interface LoopbackServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** By path. */
  readonly doors: Map<string, Door>;
  close(): Promise<void>;
}

/** Neither the server nor a connection keeps the process alive. */
export async function listenOnLoopback(): Promise<LoopbackServer> {
  const doors = new Map<string, Door>();
  let origin = '';
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000 }, (request, response) => {
    answer(request, response, origin, doors).catch(() => response.destroy());
  });
  server.on('connection', (socket) => socket.unref());
  server.unref();
  const { port } = await listening(server);
  origin = `http://127.0.0.1:${port}`;
  return { origin, doors, close: async () => closed(server) };
}

async function listening(server: Server): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}

async function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
  doors: ReadonlyMap<string, Door>,
): Promise<void> {
  const { headers, method, url = '/' } = request;
  const isOurs = `http://${headers.host}` === origin && (headers.origin === undefined || headers.origin === origin);
  if (!isOurs) return refuse(response, 403);
  const door = doors.get(url);
  if (door === undefined) return refuse(response, 404);
  if (!isSame(headers.authorization ?? '', `Bearer ${door.token}`)) {
    return refuse(response, 401, { 'www-authenticate': 'Bearer' });
  }
  // There are no streams and no sessions.
  if (method !== 'POST') return refuse(response, 405, { allow: 'POST' });
  const body = await bodyOf(request);
  if (body === undefined) return refuse(response, 413);
  await send(response, await door.handle(new Request(origin + url, { method, headers: headersOf(request), body })));
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** Closes the connection: the rest of the request is not read. */
function refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { ...headers, connection: 'close', 'content-length': 0 }).end();
}

/** Undefined for a body larger than a result may be. */
async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limits.input) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limits.input) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function headersOf({ headers }: IncomingMessage): Headers {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && name !== 'authorization') copied.set(name, value);
  }
  return copied;
}

async function send(response: ServerResponse, answered: Response): Promise<void> {
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) response.end();
  else await pipeline(answered.body, response);
}
