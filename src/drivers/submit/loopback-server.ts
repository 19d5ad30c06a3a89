/**
 * Loopback server: an HTTP server on the loopback interface. Serves only requests with both the path and the token of a door: no
 * web page whose host name points here (host, origin), and no other program of this machine. Answers everything else with a bare
 * status; repeats and logs nothing of it. A door on a socket of its own needs neither: its folder is the user's alone.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { limits } from '../../contracts/field.ts';

export interface Door {
  readonly token: string;
  readonly handle: (request: Request) => Promise<Response>;
  /** What is being received now. */
  readonly load: DoorLoad;
}

export interface DoorLoad {
  requests: number;
  bytes: number;
}

/** Of one delegation at the same time. */
const mostRequests = 8;
const mostBytes = 16 * 1024 * 1024;

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
  const { port } = await listening(server, { port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${port}`;
  return { origin, doors, close: async () => closed(server) };
}

/** Serves one door on the socket `door` in a folder, which may have a longer path than a socket may. */
export async function listenOnSocket(folder: string, door: Door): Promise<{ close(): Promise<void> }> {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000 }, (request, response) => {
    receive(request, response, door, 'http://divisi/').catch(() => response.destroy());
  });
  server.on('connection', (socket) => socket.unref());
  server.unref();
  const descriptor = process.platform === 'linux' ? openSync(folder, 'r') : undefined;
  const path = join(descriptor === undefined ? folder : `/proc/self/fd/${descriptor}`, 'door');
  await listening(server, { path });
  const end = async (): Promise<void> => {
    await closed(server);
    if (descriptor !== undefined) closeSync(descriptor);
  };
  let ending: Promise<void> | undefined;
  return { close: () => (ending ??= end()) };
}

async function listening(
  server: Server,
  where: { path: string } | { port: number; host: string },
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
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
  const { headers, url = '/' } = request;
  const isOurs = `http://${headers.host}` === origin && (headers.origin === undefined || headers.origin === origin);
  if (!isOurs) return refuse(response, 403);
  const door = doors.get(url);
  if (door === undefined) return refuse(response, 404);
  if (!isSame(headers.authorization ?? '', `Bearer ${door.token}`)) {
    return refuse(response, 401, { 'www-authenticate': 'Bearer' });
  }
  await receive(request, response, door, origin + url);
}

async function receive(request: IncomingMessage, response: ServerResponse, door: Door, url: string): Promise<void> {
  const { method } = request;
  // There are no streams and no sessions.
  if (method !== 'POST') return refuse(response, 405, { allow: 'POST' });
  const { load } = door;
  if (load.requests >= mostRequests) return refuse(response, 413);
  load.requests += 1;
  const before = { received: 0 };
  try {
    const body = await bodyOf(request, (bytes) => {
      before.received += bytes;
      load.bytes += bytes;
      return load.bytes <= mostBytes;
    });
    if (body === undefined) return refuse(response, 413);
    await send(response, await door.handle(new Request(url, { method, headers: headersOf(request), body })));
  } finally {
    load.requests -= 1;
    load.bytes -= before.received;
  }
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

/** Undefined for a body larger than a result may be, or more than may be received now. */
async function bodyOf(
  request: IncomingMessage,
  mayReceive: (bytes: number) => boolean,
): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limits.input) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (!mayReceive(chunk.length) || size > limits.input) return undefined;
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
