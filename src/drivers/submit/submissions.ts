/**
 * Submissions: receives the results that agents submit. A client that starts MCP servers gets a bridge to a socket of its delegation. One
 * that only connects to them gets an HTTP server, one per process, started on first use and closed with the last user; each delegation
 * has a door there with its own unguessable path and token.
 */
import { randomBytes } from 'node:crypto';
import type { JsonSchema } from '../../contracts/write/json-schema.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { submitTool } from '../../contracts/return-way.ts';
import type { DoorPlace } from './door-place.ts';
import type { Door, LoopbackServer } from './loopback-server.ts';

export interface SubmissionOptions {
  /** The contract's schema. */
  readonly schema: JsonSchema;
  /** The result in a few words. */
  readonly about: string;
  /** Why a result is not accepted, as a message to the agent; undefined if it is. Its turn may still end with it. */
  readonly refuse?: (json: string) => Promise<string | undefined>;
  /** Stores a result to survive this process. Awaited before the agent learns that it was received. */
  readonly keep?: (json: string) => Promise<void>;
}

export interface Submission {
  /** For the client's list of MCP servers. */
  readonly server: JsonObject;
  /** The last submission since `forget`: one JSON object, not yet checked against the contract. */
  taken(): string | undefined;
  /** Called at the start of a turn: an earlier submission does not answer it. */
  forget(): void;
  /** Refuses submissions from now on. */
  close(): void;
}

export interface HttpSubmission extends Submission {
  readonly url: string;
  /** A secret of this delegation: only for its client, never for a command line, a log or a prompt. */
  readonly token: string;
}

export interface Submissions<T extends Submission = Submission> {
  open(options: SubmissionOptions): T;
  /** Closes its submissions, and the server if it has no other user. May be called more than once. */
  close(): Promise<void>;
}

interface Shared {
  readonly server: Promise<LoopbackServer>;
  users: number;
}

let shared: Shared | undefined;

/** Rejects if there is no port on the loopback interface. */
export async function openSubmissions(): Promise<Submissions<HttpSubmission>> {
  const box = await loadBox();
  const { server, leave } = await join();
  const mine = new Set<Submission>();
  const open = (options: SubmissionOptions): HttpSubmission => {
    const path = `/${secret()}/mcp`;
    const token = secret();
    const { handle, ...taking } = box(options);
    server.doors.set(path, { token, handle, load: { requests: 0, bytes: 0 } });
    const url = server.origin + path;
    const headers = [{ name: 'Authorization', value: `Bearer ${token}` }];
    const submission: HttpSubmission = {
      url,
      token,
      server: { type: 'http', name: submitTool.server, url, headers },
      ...taking,
      close: () => {
        server.doors.delete(path);
        mine.delete(submission);
      },
    };
    mine.add(submission);
    return submission;
  };
  const close = async (): Promise<void> => {
    for (const submission of mine) submission.close();
    await leave();
  };
  return { open, close };
}

/** Through a socket in this place. One submission only. */
export async function openDoor(place: DoorPlace): Promise<Submissions> {
  const box = await loadBox();
  const { listenOnSocket } = await import('./loopback-server.ts');
  let handle: Door['handle'] = async () => new Response(null, { status: 404 });
  const door: Door = { token: '', handle: (request) => handle(request), load: { requests: 0, bytes: 0 } };
  const listener = await listenOnSocket(place.folder, door);
  const shut = (): void => void (handle = async () => new Response(null, { status: 404 }));
  return {
    open(options) {
      const { handle: own, ...taking } = box(options);
      handle = own;
      const server = {
        name: submitTool.server,
        command: process.execPath,
        args: [`${place.seenAs}/bridge.mjs`],
        env: [],
      };
      return { server, ...taking, close: shut };
    },
    async close() {
      shut();
      await listener.close();
    },
  };
}

interface Box extends Pick<Submission, 'taken' | 'forget'> {
  readonly handle: Door['handle'];
}

/** Keeps the last result of the turn. */
async function loadBox(): Promise<(options: SubmissionOptions) => Box> {
  // Loaded on first use: the protocol takes a tenth of a second to load.
  const { submitHandler } = await import('./submit-tool.ts');
  return ({ schema, about, keep, refuse }) => {
    let turn = 0;
    let last: string | undefined;
    const take = async (json: string): Promise<string | undefined> => {
      const during = turn;
      await keep?.(json);
      if (during === turn) last = json;
      return refuse?.(json);
    };
    return {
      handle: submitHandler({ schema, about, take }),
      taken: () => last,
      forget: () => {
        turn += 1;
        last = undefined;
      },
    };
  };
}

/** Starts a new server while the previous one closes. */
async function join(): Promise<{ readonly server: LoopbackServer; readonly leave: () => Promise<void> }> {
  const joined = (shared ??= { server: listen(), users: 0 });
  joined.users += 1;
  let left: Promise<void> | undefined;
  const go = async (): Promise<void> => {
    joined.users -= 1;
    if (joined.users > 0) return;
    if (shared === joined) shared = undefined;
    await (await joined.server).close();
  };
  const leave = async (): Promise<void> => (left ??= go());
  try {
    return { server: await joined.server, leave };
  } catch (error) {
    await leave().catch(() => undefined);
    throw error;
  }
}

async function listen(): Promise<LoopbackServer> {
  return (await import('./loopback-server.ts')).listenOnLoopback();
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
