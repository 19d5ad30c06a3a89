/**
 * The other side of the comparison: the same program with the same arguments, environment and input, called by as little as
 * can be. Over ACP that is a loop over lines of JSON, with the session requests of ours; a server that only answers stands in
 * for the one through which an agent returns.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { submitTool } from '../src/contracts/return-way.ts';
import { type AcpConnection, AcpRefusal } from '../src/drivers/acp/connection.ts';
import { openSession } from '../src/drivers/acp/session.ts';
import { agentEnvironment, withSettings } from '../src/drivers/agent-environment.ts';
import type { DriverTask } from '../src/drivers/driver.ts';
import { turnFiles } from '../src/drivers/one-shot/turn-files.ts';
import { profileOf } from '../src/drivers/profiles/profiles.ts';
import { markerEnvironment } from '../src/process/marker.ts';
import { reap } from '../src/process/reap.ts';
import type { ClientFacts } from '../tests/clients/facts.ts';

/** A program that is being driven, by whomever. */
export interface Running {
  readonly pid: Promise<number>;
  /** Rejects where the program cannot be talked with; otherwise it is never heard of again. */
  readonly broken: Promise<never>;
  readonly end: () => Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

interface Wire {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Answers every question of the agent with "no such method": before its first model call it has none that matters. */
function lines(toIt: Writable, fromIt: Readable): AcpConnection {
  const waiting = new Map<number, (answer: Wire) => void>();
  let last = 0;
  let rest = '';
  const send = (message: object): void => void toIt.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const take = (message: Wire): void => {
    if (message.id === undefined) return;
    if (message.method === undefined) waiting.get(message.id)?.(message);
    else send({ id: message.id, error: { code: -32_601, message: 'no such method' } });
  };
  fromIt.setEncoding('utf8').on('data', (more: string) => {
    const whole = (rest + more).split('\n');
    rest = whole.pop() ?? '';
    for (const line of whole) if (line.startsWith('{')) take(JSON.parse(line) as Wire);
  });
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const id = (last += 1);
        waiting.set(id, ({ result, error }) => {
          if (error === undefined) resolve(result ?? {});
          else reject(new AcpRefusal(error.code, error.message, undefined));
        });
        send({ id, method, params });
      }),
    notify: (method, params) => Promise.resolve(send({ method, params })),
    close: () => undefined,
  };
}

export interface BareServer {
  readonly url: string;
  readonly token: string;
  readonly close: () => void;
}

/** One tool with the schema of the contract, as bare as the protocol allows. */
export async function bareServer(schema: DriverTask['returnSchema']): Promise<BareServer> {
  const { $schema: _, ...inputSchema } = schema;
  const results: Readonly<Record<string, (params: Record<string, unknown>) => object>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: submitTool.server, version: '1.0.0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({
      tools: [
        {
          name: submitTool.name,
          description: 'Return the result of your task.',
          inputSchema,
          _meta: { 'anthropic/alwaysLoad': true },
        },
      ],
    }),
  };
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    void text(request).then((body) => {
      const { id, method = '', params = {} } = JSON.parse(body) as Wire & { params?: Record<string, unknown> };
      if (id === undefined) return void response.writeHead(202).end();
      const result = results[method]?.(params);
      const answer = result === undefined ? { error: { code: -32_601, message: 'no such method' } } : { result };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, token: 'bare', close };
}

/** Gets ready what is not part of the call; what is answered starts the program. */
export function prepareBare(facts: ClientFacts, task: DriverTask, own: Environment, server: BareServer): () => Running {
  const profile = profileOf(facts.client);
  const marker = markerEnvironment(task);
  const strength = profile.tiers[task.tier];
  mkdirSync(dirname(task.outputFile), { recursive: true });
  const { environment } = profile;
  if (facts.way === 'acp') {
    const { acp: way } = profile;
    const variables = { DIVISI_TASK: task.task, ...way.variables };
    const all = { ...withSettings(agentEnvironment({ own, environment, variables }), way.settings ?? {}), ...marker };
    const wish = {
      directory: task.directory,
      way,
      strength,
      isReview: false,
      isConfined: false,
      limits: {},
      returns: {
        type: 'http',
        name: 'divisi',
        url: server.url,
        headers: [{ name: 'Authorization', value: `Bearer ${server.token}` }],
      },
    };
    return () => {
      const child = start(asFound(way.argv, own), task, all, 'pipe');
      return running(child, task, async () => {
        const { stdin, stdout } = child;
        if (stdin === null || stdout === null) throw new Error('there is no pipe');
        const connection = lines(stdin, stdout);
        const { id: sessionId } = await openSession(connection, wish);
        await connection.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: task.prompt }] });
      });
    };
  }
  const { oneShot } = profile;
  if (oneShot === undefined) throw new Error(`${facts.client} has no command line for one turn`);
  const agents = agentEnvironment({ own, environment, variables: {} });
  const { folder: files } = turnFiles(task, profile.name, 0);
  mkdirSync(files, { recursive: true });
  const turn = {
    task,
    left: {},
    strength,
    prompt: task.prompt,
    files,
    isReview: false,
    isConfined: false,
    environment: agents,
  };
  const { args, variables, input = '', write = {} } = oneShot.call(turn);
  for (const [name, content] of Object.entries(write)) writeFileSync(join(files, name), content);
  return () => {
    const child = start(asFound([oneShot.program, ...args], own), task, { ...agents, ...variables, ...marker }, 'file');
    child.stdin?.end(input);
    return running(child, task, async () => undefined);
  };
}

/** The driver starts a program by the path at which it was found. */
function asFound([program = '', ...args]: readonly string[], { PATH = '' }: Environment): string[] {
  const found = PATH.split(':').map((folder) => join(folder, program));
  return [found.find((path) => existsSync(path)) ?? program, ...args];
}

function start(argv: readonly string[], task: DriverTask, env: Environment, output: 'pipe' | 'file'): ChildProcess {
  const [program = '', ...args] = argv;
  const [out, err] = [openSync(`${task.outputFile}.bare`, 'a'), openSync(`${task.outputFile}.stderr`, 'a')];
  try {
    return spawn(program, args, {
      cwd: task.directory,
      env,
      detached: true,
      stdio: ['pipe', output === 'pipe' ? 'pipe' : out, err],
    });
  } finally {
    [out, err].forEach((file) => closeSync(file));
  }
}

function running(child: ChildProcess, task: DriverTask, talk: () => Promise<void>): Running {
  child.stdin?.on('error', () => undefined);
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const broken = new Promise<never>((_, reject) => {
    child.once('error', reject);
    talk().catch(reject);
  });
  broken.catch(() => undefined);
  return {
    pid: Promise.resolve(child.pid ?? 0),
    broken,
    end: async () => {
      if (child.pid === undefined) return;
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
      await reap(task.run, { delegation: task.delegation });
      await gone;
    },
  };
}
