/** The official client, with the real server as its child: an own home, nothing of the surroundings, and its process known. */
import { Client, type ClientOptions, type ElicitResult, type ProgressCallback } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { processesIn } from './running.ts';
import { environment, mainFile } from './divisi.ts';

export interface Connected {
  readonly client: Client;
  readonly pid: number;
  /** What the server said beside the protocol. */
  readonly stderr: () => string;
  /** The text of an answer; text is all it may have. */
  readonly call: (tool: string, input?: Record<string, unknown>, options?: CallOptions) => Promise<string>;
  readonly close: () => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: ProgressCallback;
  /** The answer is a refusal. */
  readonly isError?: boolean;
}

export interface ConnectOptions {
  readonly cwd: string;
  /** Of the server; plans are trusted unless something else is said. */
  readonly args?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** A person, by what they answer to a form. Without it, the client says that it has none. */
  readonly person?: (message: string) => ElicitResult | Promise<ElicitResult>;
  /** The host declines by itself, at once. */
  readonly isHasty?: boolean;
  /** The client's signals reach a shell instead of the server, which then has to end on its own. */
  readonly behindShell?: boolean;
  /** Another generation of the protocol than the client's usual one. */
  readonly versionNegotiation?: NonNullable<ClientOptions['versionNegotiation']>;
}

const opened = new Set<{ readonly cwd: string; readonly close: () => Promise<void> }>();
afterAll(async () => {
  for (const { cwd, close } of opened) {
    await close().catch(() => undefined);
    for (const word of ['worker.mjs', 'main.']) for (const pid of processesIn(cwd, word)) process.kill(pid, 'SIGKILL');
  }
});

export async function connect({
  cwd,
  args = ['--trust-plans'],
  variables = {},
  person,
  isHasty = false,
  behindShell = false,
  ...more
}: ConnectOptions): Promise<Connected> {
  const capabilities = person === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: 'test', version: '1' }, { capabilities, ...more });
  if (person !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const reply = await person(params.message);
      // A decline at once is a host's, not a person's.
      if (reply.action === 'decline' && !isHasty) await sleep(1100);
      return reply;
    });
  }
  const env = { ...environment(cwd), ...variables };
  const server = [process.execPath, mainFile, 'mcp', ...args];
  const [command = '', ...rest] = behindShell ? ['sh', '-c', '"$@"; :', 'sh', ...server] : server;
  const transport = new StdioClientTransport({
    command,
    args: rest,
    cwd,
    env,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
  await client.connect(transport);
  const close = async (): Promise<void> => client.close();
  opened.add({ cwd, close });
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    call: async (name, input = {}, { isError = false, ...options } = {}) => {
      const answer = await client.callTool({ name, arguments: input }, { timeout: 60_000, ...options });
      const { content, isError: refused = false, ...rest } = answer;
      if (refused !== isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
      if (Object.keys(rest).some((key) => key === 'structuredContent')) throw new Error('more than text');
      const [only, ...others] = content as { type: string; text: string }[];
      if (only?.type !== 'text' || others.length > 0) throw new Error('more than one text');
      return only.text;
    },
    close,
  };
}
