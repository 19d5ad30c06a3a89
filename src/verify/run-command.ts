/**
 * Runs an acceptance or set-up command. Its exit code is the truth. Its output goes to a file of limited size, its
 * time is limited, and none of its processes outlive it.
 */
import { constants, open } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { oneLine } from '../base/text.ts';
import { causeAt } from '../base/error-cause.ts';
import { redact } from '../base/redact.ts';
import { commandLine } from '../plan/values/command-words.ts';
import type { CommandRun } from '../core/event/verification.ts';
import { endText } from '../process/end-text.ts';
import { watchOutput } from '../process/output-limit.ts';
import { newFile, readTail } from '../process/output-file.ts';
import type { Confinement } from '../process/confine/confinement.ts';
import type { Marker } from '../process/marker.ts';
import { commandEnvironment, type CommandPurpose } from '../process/running-command.ts';
import { type ProcessEnd, spawnMarked } from '../process/spawn-marked.ts';
import { outsideRoom } from './outside-room.ts';

export interface CommandSpec {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly directory: string;
  /** The whole environment, see `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly marker: Marker;
  /** Shown by `divisi status`; an acceptance command by default. */
  readonly purpose?: CommandPurpose;
  /** Absolute. Receives stdout and stderr; overwritten. */
  readonly outputFile: string;
  readonly timeoutSeconds: number;
  readonly mostOutput?: number;
  /** Called with the process that was started; ended with it. */
  readonly watch?: ((pid: number) => { end(): void }) | undefined;
  readonly confinement?: Confinement | undefined;
}

/** The caller adds who asked for the command and the name of its output file. */
export type RanCommand = Omit<CommandRun, 'from' | 'output'>;

const mebibyte = 1024 * 1024;
/** A longer timer would fire at once. */
const longestTimer = 2 ** 31 - 1;
/** Milliseconds to shut down after its time is up. */
const grace = 1000;
/** Much more than is shown, so that a secret is not cut before it is redacted. */
const tailBytes = 64 * 1024;
const tailLines = 20;
const tailLine = 200;
const causeLines = 5;

const timedOutAfter = 'timed out after';
const killedFor = 'killed:';

/** Whether Divisi ended the command, for its time or its output. */
export const isStopped = ({ end }: Pick<RanCommand, 'end'>): boolean =>
  end.startsWith(timedOutAfter) || end.startsWith(killedFor);

/** An aborted signal kills the command and throws its reason: the work is then not verified. */
export async function runCommand(spec: CommandSpec, signal: AbortSignal): Promise<RanCommand> {
  signal.throwIfAborted();
  const { argv, marker, purpose = 'acceptance', outputFile, timeoutSeconds, mostOutput = 64 * mebibyte } = spec;
  await newFile(outputFile, '');
  const began = performance.now();
  // Watch before the command can replace the file.
  const watch = watchOutput([outputFile], mostOutput, () => void child.stop('at-once'));
  const note = { run: marker.run, of: marker.delegation, purpose, command: commandLine(argv), since: Date.now() };
  const environment = { ...spec.environment, ...commandEnvironment(note) };
  const child = spawnMarked({ ...spec, environment, stdout: outputFile, stderr: outputFile, grace });
  const watched = child.pid === undefined ? undefined : spec.watch?.(child.pid);
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
    watched?.end();
    signal.removeEventListener('abort', onAbort);
  }
  signal.throwIfAborted();
  if (watch.exceeded()) await cutOff(outputFile, mostOutput);

  const milliseconds = Math.round(performance.now() - began);
  const stopped = timedOut
    ? `${timedOutAfter} ${timeoutSeconds} s`
    : watch.exceeded()
      ? `${killedFor} more than ${Math.ceil(mostOutput / mebibyte)} MiB of output`
      : undefined;
  const ok = stopped === undefined && ended.kind === 'exit' && ended.code === 0;
  const tail = ok ? '' : await lastLines(outputFile, spec.confinement);
  return { argv: [...argv], ok, end: stopped ?? endText(ended), milliseconds, ...(tail === '' ? {} : { tail }) };
}

/** Trims output written before the command was stopped. If the command replaced the file, it is left alone. */
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

/** Escapes each line and keeps what a terminal would finally show: text overwritten by a carriage return is dropped. */
async function lastLines(outputFile: string, confinement: Confinement | undefined): Promise<string> {
  const text = redact(stripVTControlCharacters(await readTail(outputFile, tailBytes))).text;
  const lines = text
    .split(/\r*\n/)
    .map((line) => oneLine(line.slice(line.lastIndexOf('\r') + 1), tailLine))
    .filter((line) => line !== '');
  const outside = confinement && outsideRoom(text, confinement);
  return redact([...excerpt(lines), ...(outside === undefined ? [] : [oneLine(outside, 2 * tailLine)])].join('\n'))
    .text;
}

/** The last lines; if the cause is before them, it and what follows it come first. */
function excerpt(lines: readonly string[]): readonly string[] {
  const cause = causeAt(lines);
  const last = lines.slice(-tailLines);
  if (cause === undefined || cause >= lines.length - tailLines) return last;
  return [...lines.slice(cause, cause + causeLines), '…', ...last.slice(causeLines + 1)];
}
