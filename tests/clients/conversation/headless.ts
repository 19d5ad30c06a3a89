/** One process of the client without a person: `claude -p`, and what it reports, an event a line. */
import { spawn } from 'node:child_process';
import { object, string } from '../model-api/fields.ts';
import type { JsonObject } from '../model-api/script.ts';

export interface HeadlessEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly events: readonly JsonObject[];
  /** The last one counts: with background agents there are several. */
  readonly result: JsonObject;
  readonly stderr: string;
}

export interface Headless {
  readonly pid: number;
  /** So far. */
  readonly events: readonly JsonObject[];
  /** As soon as it has named it. */
  readonly session: () => string | undefined;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<HeadlessEnd>;
}

export interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Standard output by lines; what is not JSON is kept as `{ text }`. */
function reader(events: JsonObject[]): (piece: string) => void {
  let rest = '';
  return (piece) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    events.push(...lines.filter((line) => line !== '').map(eventIn));
  };
}

function eventIn(line: string): JsonObject {
  try {
    return object(JSON.parse(line));
  } catch {
    return { text: line };
  }
}

export function startHeadless(prompt: string, { program, args, cwd, env }: Start): Headless {
  const words = ['-p', prompt, '--output-format', 'stream-json', '--verbose', ...args];
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const events: JsonObject[] = [];
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', reader(events));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const ended = new Promise<HeadlessEnd>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, events, result: events.findLast(({ type }) => type === 'result') ?? {}, stderr });
    });
  });
  return {
    pid: child.pid ?? 0,
    events,
    session: () => events.map((event) => string(event['session_id'])).find(Boolean),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
