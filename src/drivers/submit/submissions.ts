/**
 * Where agents submit their results: one HTTP server per process, started for the first who needs it and closed with the
 * last, and in it one door per delegation, with an address and a token of its own that nobody can guess.
 */
import { randomBytes } from 'node:crypto';
import type { JsonSchema } from '../../contracts/write/json-schema.ts';
import type { LoopbackServer } from './loopback-server.ts';

export interface SubmissionOptions {
  /** What the contract asks for. */
  readonly schema: JsonSchema;
  /** What is returned, in a few words. */
  readonly about: string;
  /** Keeps a result where it outlives this process. The agent hears that it was received when this is done. */
  readonly keep?: (json: string) => Promise<void>;
}

export interface Submission {
  /** For the client's list of MCP servers: type `http`, with the header `Authorization: Bearer TOKEN`. */
  readonly url: string;
  /** A secret of this delegation: for its client alone, never for a command line, a log or a prompt. */
  readonly token: string;
  /** What was submitted last since `forget`: one JSON object, not yet held against the contract. */
  taken(): string | undefined;
  /** At the start of a turn: what an earlier one has submitted is no answer to it. */
  forget(): void;
  /** What is submitted from now on is refused. */
  close(): void;
}

export interface Submissions {
  open(options: SubmissionOptions): Submission;
  /** Closes what was opened here, and the server if nobody else uses it. May be called more than once. */
  close(): Promise<void>;
}

interface Shared {
  readonly server: Promise<LoopbackServer>;
  users: number;
}

let shared: Shared | undefined;

/** Rejects where this machine gives no port on its loopback interface. */
export async function openSubmissions(): Promise<Submissions> {
  // The protocol takes a tenth of a second to load: only those wait for it who use it.
  const { submitHandler } = await import('./submit-tool.ts');
  const { server, leave } = await join();
  const mine = new Set<Submission>();
  const open = ({ schema, about, keep }: SubmissionOptions): Submission => {
    const path = `/${secret()}/mcp`;
    const token = secret();
    let turn = 0;
    let last: string | undefined;
    const take = async (json: string): Promise<void> => {
      const during = turn;
      await keep?.(json);
      if (during === turn) last = json;
    };
    server.doors.set(path, { token, handle: submitHandler({ schema, about, take }) });
    const submission: Submission = {
      url: server.origin + path,
      token,
      taken: () => last,
      forget: () => {
        turn += 1;
        last = undefined;
      },
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

/** Whoever comes while the server of the others is closing gets a new one. */
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
