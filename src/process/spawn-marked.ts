/**
 * Starting a program that belongs to a delegation, and ending it with everything it started.
 *
 * The child leads a session of its own, so that a Ctrl-C in our terminal does not reach it. It writes to files that we open
 * and it keeps, and reads its input from a file that is already complete: neither depends on our being alive. A program that is
 * talked with has pipes instead, and notices our end by theirs. No shell is ever involved. A program that cannot be started is
 * an end like any other, not an exception.
 *
 *   started → ended (exit | signal)        not-started is an end, too
 *   stop: SIGTERM to the group → grace → SIGKILL to the group → whatever carries the marker
 */
import { defined } from '../base/defined.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildFiles, closeFiles, openFiles } from './child-files.ts';
import { type Marker, markerEnvironment } from './marker.ts';
import { messageOf, systemCode } from '../base/error.ts';
import { statSync } from 'node:fs';
import { type ProcessGroup, processGroup } from './process-group.ts';
import { processStat } from './process-stat.ts';
import { reap } from './reap.ts';

export interface SpawnSpec {
  /** The program and its arguments, given to it as they are. */
  readonly argv: readonly string[];
  readonly directory: string;
  /** All of its environment; the markers are added to it. See `environment.ts`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly marker: Marker;
  /** What it reads on its standard input; nothing when absent. */
  readonly input?: string;
  /** Files that its output is added to; they and their folders are made. May be the same one. */
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds between asking it to end and ending it. */
  readonly grace?: number;
}

export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not-started'; readonly message: string };

/** Both ends of a program that is talked with. Errors of these streams are its end, and nobody's exception. */
export interface Pipes {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

export interface MarkedProcess {
  /** Absent when it was not started. */
  readonly pid: number | undefined;
  /** See `ProcessId`. */
  readonly started: string;
  /** Of the program itself; what it started may live on until `stop`. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /**
   * Resolves when nothing of it is left (or, after ten seconds more, when the system will not let go of what is). May be
   * called at any time, and again; `at-once` overtakes a gentle stop.
   */
  stop(how: 'gently' | 'at-once'): Promise<void>;
}

/** Absent when it was not started. */
export interface PipedProcess extends MarkedProcess {
  readonly pipes?: Pipes;
}

type AnySpec = Omit<SpawnSpec, 'stdout'> & { readonly stdout?: string };

/** Milliseconds for the system to end what was killed. */
const lastPatience = 10_000;

/** An aborted signal stops it: at once where that is its reason, gently otherwise. */
export function spawnMarked(spec: SpawnSpec, signal?: AbortSignal): MarkedProcess {
  return start(spec, signal);
}

/** The same for a program that is talked with. */
export function spawnPiped(spec: Omit<SpawnSpec, 'stdout' | 'input'>, signal?: AbortSignal): PipedProcess {
  return start(spec, signal);
}

function start(spec: AnySpec, signal?: AbortSignal): PipedProcess {
  if (signal?.aborted) return never('it was cancelled before it was started');
  let files: ChildFiles | undefined;
  try {
    files = openFiles(spec);
    return marked(spec, startChild(spec, files), signal);
  } catch (error) {
    return never(startFault(spec, error));
  } finally {
    if (files) closeFiles(files);
  }
}

function never(message: string): MarkedProcess {
  const ended = Promise.resolve<ProcessEnd>({ kind: 'not-started', message });
  return { pid: undefined, started: '', ended, stop: () => Promise.resolve() };
}

function startChild({ argv, directory, environment, marker }: AnySpec, files: ChildFiles): ChildProcess {
  const [program = '', ...args] = argv;
  return spawn(program, args, {
    cwd: directory,
    env: { ...environment, ...markerEnvironment(marker) },
    detached: true,
    shell: false,
    windowsHide: true,
    stdio: files.stdout === 'pipe' ? ['pipe', 'pipe', files.stderr] : [files.stdin, files.stdout, files.stderr],
  });
}

function marked(spec: AnySpec, child: ChildProcess, signal: AbortSignal | undefined): PipedProcess {
  const { pid } = child;
  const started = pid === undefined ? '' : (processStat(pid)?.started ?? '');
  const group = pid === undefined ? null : processGroup(pid);
  const overtake = new AbortController();
  let ending: Promise<void> | undefined;

  function stop(how: 'gently' | 'at-once'): Promise<void> {
    if (how === 'at-once') overtake.abort();
    ending ??= group === null ? Promise.resolve() : endAll(spec, group, overtake.signal, ended);
    return ending;
  }
  const onAbort = (): void => void stop(signal?.reason === 'at-once' ? 'at-once' : 'gently');
  signal?.addEventListener('abort', onAbort, { once: true });

  const ended = new Promise<ProcessEnd>((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ kind: 'not-started', message: startFault(spec, error) });
    });
    child.once('exit', (code, by) => {
      group?.leaderEnded();
      resolve(by === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal: by });
    });
  }).finally(() => signal?.removeEventListener('abort', onAbort));

  const pipes = pipesOf(child);
  return { pid, started, ended, ...defined({ pipes }), stop };
}

function pipesOf({ stdin, stdout }: ChildProcess): Pipes | undefined {
  if (stdin === null || stdout === null) return undefined;
  stdin.on('error', () => undefined);
  stdout.on('error', () => undefined);
  return { stdin, stdout };
}

async function endAll(
  { marker, grace = 5000 }: AnySpec,
  group: ProcessGroup,
  atOnce: AbortSignal,
  ended: Promise<unknown>,
): Promise<void> {
  if (!atOnce.aborted) {
    group.signal('SIGTERM');
    await emptied(group, grace, atOnce);
  }
  for (const until = Date.now() + lastPatience; Date.now() < until;) {
    group.signal('SIGKILL');
    await reap(marker.run, { delegation: marker.delegation, patience: lastPatience });
    if (await emptied(group, 50)) return void (await ended);
  }
}

/** Looks often at first: most programs end within milliseconds. */
async function emptied(group: ProcessGroup, most: number, signal?: AbortSignal): Promise<boolean> {
  const until = Date.now() + most;
  for (let pause = 2; !group.isEmpty(); pause = Math.min(pause * 2, 50)) {
    const rest = until - Date.now();
    if (rest <= 0 || signal?.aborted) return false;
    await sleep(Math.min(pause, rest), undefined, signal ? { signal } : {}).catch(() => {});
  }
  return true;
}

function startFault(spec: AnySpec, error: unknown): string {
  const [program = ''] = spec.argv;
  if (program === '') return 'no program was named';
  const directory = directoryFault(spec.directory);
  if (directory) return directory;
  const code = systemCode(error);
  const path = error instanceof Error && 'path' in error ? String(error.path) : program;
  if (path !== program) return `${path} cannot be used: ${String(code)}`;
  switch (code ?? '') {
    case 'ENOENT':
      return program.includes('/')
        ? `${program} is not there, or names an interpreter that is not`
        : `${program} was not found on the PATH`;
    case 'EACCES':
      // For a bare name, one folder of the PATH that may not be looked into is enough to get this.
      return program.includes('/')
        ? `${program} may not be executed by this user`
        : `${program} was not found on the PATH, or may not be executed by this user`;
    case 'E2BIG':
      return `the arguments for ${program} are too long for the system`;
    default:
      return `${program} could not be started: ${messageOf(error).slice(0, 300)}`;
  }
}

function directoryFault(directory: string): string | null {
  try {
    return statSync(directory).isDirectory() ? null : `${directory} is not a folder to work in`;
  } catch {
    return `the folder to work in, ${directory}, is not there`;
  }
}
