/**
 * Runs an acceptance or set-up command, and tells how it ended: its exit code is the truth. Its output goes to a file and has an
 * end; it has so many seconds; and nothing that it started is left when the answer is there.
 */
import { constants, open } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '../base/flatten.ts';
import { redact } from '../base/redact.ts';
import type { CommandRun } from '../core/event/verification.ts';
import { watchOutput } from '../process/output-limit.ts';
import { newFile, readTail } from '../process/output-file.ts';
import type { Marker } from '../process/marker.ts';
import { type ProcessEnd, spawnMarked } from '../process/spawn-marked.ts';

export interface CommandSpec {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly directory: string;
  /** All of its environment, see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly marker: Marker;
  /** Absolute; what it says, on both of its outputs. Whatever was there before is gone. */
  readonly outputFile: string;
  readonly timeoutSeconds: number;
  readonly mostOutput?: number;
}

/** Who asked for it, and what its output is called, is known to the caller. */
export type RanCommand = Omit<CommandRun, 'from' | 'output'>;

const mebibyte = 1024 * 1024;
/** A longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** For what it wants to do before it ends, when its time is over. */
const grace = 1000;
/** Far more than is shown, so that a secret is seen from its beginning. */
const tailBytes = 64 * 1024;
const tailLines = 20;
const tailLine = 200;

/** An aborted signal ends it at once, and its reason is thrown: nothing is known of the work then. */
export async function runCommand(spec: CommandSpec, signal: AbortSignal): Promise<RanCommand> {
  signal.throwIfAborted();
  const { argv, outputFile, timeoutSeconds, mostOutput = 64 * mebibyte } = spec;
  await newFile(outputFile, '');
  const began = performance.now();
  // Before the command can exchange the file.
  const watch = watchOutput([outputFile], mostOutput, () => void child.stop('at-once'));
  const child = spawnMarked({ ...spec, stdout: outputFile, stderr: outputFile, grace });
  let timedOut = false;
  const timer = setTimeout(
    () => {
      timedOut = true;
      void child.stop('gently');
    },
    Math.min(timeoutSeconds * 1000, longestTimer),
  );
  const onAbort = (): void => void child.stop('at-once');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  let ended: ProcessEnd;
  try {
    ended = await child.ended;
    await child.stop('at-once');
  } finally {
    clearTimeout(timer);
    watch.end();
    signal.removeEventListener('abort', onAbort);
  }
  signal.throwIfAborted();
  if (watch.exceeded()) await cutOff(outputFile, mostOutput);

  const milliseconds = Math.round(performance.now() - began);
  const stopped = timedOut
    ? `did not end within ${timeoutSeconds} s`
    : watch.exceeded()
      ? `stopped after more than ${Math.ceil(mostOutput / mebibyte)} MiB of output`
      : undefined;
  const ok = stopped === undefined && ended.kind === 'exit' && ended.code === 0;
  const tail = ok ? '' : await lastLines(outputFile);
  return { argv: [...argv], ok, end: stopped ?? endText(ended), milliseconds, ...(tail === '' ? {} : { tail }) };
}

function endText(ended: ProcessEnd): string {
  switch (ended.kind) {
    case 'exit':
      return `exit code ${ended.code}`;
    case 'signal':
      return `ended by ${ended.signal}`;
    case 'not-started':
      return `not started: ${oneLine(redact(ended.message).text, 300)}`;
    default:
      return ended satisfies never;
  }
}

/** A command may write much before it is stopped. Where it has put something else in the file's place, that stays as it is. */
async function cutOff(file: string, most: number): Promise<void> {
  const { O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(file, O_WRONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return;
  try {
    if ((await handle.stat()).isFile()) await handle.truncate(most);
  } finally {
    await handle.close();
  }
}

/** Each line harmless, and as a terminal would show it in the end: what a carriage return has overwritten is not there. */
async function lastLines(outputFile: string): Promise<string> {
  const text = redact(stripVTControlCharacters(await readTail(outputFile, tailBytes))).text;
  const lines = text
    .split(/\r*\n/)
    .map((line) => oneLine(line.slice(line.lastIndexOf('\r') + 1), tailLine))
    .filter((line) => line !== '');
  return redact(lines.slice(-tailLines).join('\n')).text;
}
