/**
 * Starts a program that belongs to a delegation, and ends it with everything it started.
 *
 * The child leads its own session: a Ctrl-C in our terminal does not reach it. It writes to files that we open and it keeps, and
 * reads its input from a complete file: neither depends on this process. A piped program has pipes instead, and notices our end by
 * theirs. Never uses a shell. A program that cannot be started is an end like any other, not an exception.
 *
 * A confined program has processes of its own: it runs below a process that confines it, whose pid and group it is known by here.
 *
 *   started → ended (exit | signal)        not-started is an end, too
 *   stop: SIGTERM to the group → grace → SIGKILL to the group → SIGKILL to every process with the marker
 */
import { defined } from '../base/defined.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildFiles, closeFiles, openFiles } from './child-files.ts';
import { type Marker, markerEnvironment } from './marker.ts';
import { messageOf, systemCode } from '../base/error.ts';
import { statSync } from 'node:fs';
import { confinedArgv, signalIn } from './confine/confined-program.ts';
import type { Confinement } from './confine/confinement.ts';
import { type ProcessGroup, processGroup } from './process-group.ts';
import { processStat } from './process-stat.ts';
import { reap } from './reap.ts';

export interface SpawnSpec {
  /** The program and its arguments, without a shell. */
  readonly argv: readonly string[];
  readonly directory: string;
  /** Its whole environment, without the marker; see `environment.ts`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly marker: Marker;
  /** Its standard input; absent for none. */
  readonly input?: string;
  /** Files to append its output to; created with their folders. May be the same file. */
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly grace?: number;
  /** Absent: it may do whatever this user may. */
  readonly confinement?: Confinement | undefined;
}

export type ProcessEnd =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not-started'; readonly message: string };

/** The pipes to a program. Stream errors are swallowed: they only mean that the program ends. */
export interface Pipes {
  readonly stdin: Writable;
  readonly stdout: Readable;
}

export interface MarkedProcess {
  /** Undefined if it was not started. */
  readonly pid: number | undefined;
  /** See `ProcessId`. */
  readonly started: string;
  /** The end of the program itself; its children may run until `stop`. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /**
   * Resolves when no process of it is left, or after ten seconds if the system does not end them. May be called at any time, and
   * again; `at-once` overrides a gentle stop.
   */
  stop(how: 'gently' | 'at-once'): Promise<void>;
}

export interface PipedProcess extends MarkedProcess {
  /** Absent if it was not started. */
  readonly pipes?: Pipes;
}

type AnySpec = Omit<SpawnSpec, 'stdout'> & { readonly stdout?: string };

/** Milliseconds for the system to end killed processes. */
const lastPatience = 10_000;

/** An aborted signal stops it: at once if the reason is `at-once`, gently otherwise. */
export function spawnMarked(spec: SpawnSpec, signal?: AbortSignal): MarkedProcess {
  return start(spec, signal);
}

/** As `spawnMarked`, with pipes for standard input and output. */
export function spawnPiped(spec: Omit<SpawnSpec, 'stdout' | 'input'>, signal?: AbortSignal): PipedProcess {
  return start(spec, signal);
}

function start(spec: AnySpec, signal?: AbortSignal): PipedProcess {
  if (signal?.aborted) return never('cancelled before it started');
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

function startChild({ argv, directory, environment, marker, confinement }: AnySpec, files: ChildFiles): ChildProcess {
  const variables = { ...environment, ...confinement?.variables };
  const [program = '', ...args] = confinement ? confinedArgv(confinement, { argv, directory, variables }) : argv;
  return spawn(program, args, {
    cwd: directory,
    env: { ...variables, ...markerEnvironment(marker) },
    detached: true,
    shell: false,
    windowsHide: true,
    stdio: files.stdout === 'pipe' ? ['pipe', 'pipe', files.stderr] : [files.stdin, files.stdout, files.stderr],
  });
}

function marked(spec: AnySpec, child: ChildProcess, signal: AbortSignal | undefined): PipedProcess {
  const { pid } = child;
  const started = pid === undefined ? '' : (processStat(pid)?.started ?? '');
  const isConfined = spec.confinement !== undefined;
  const group = pid === undefined ? null : processGroup(pid, { sparesLeader: isConfined });
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
      const signal = by ?? (isConfined ? signalIn(code ?? 0) : undefined);
      resolve(signal === undefined ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal });
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
  for (const until = performance.now() + lastPatience; performance.now() < until;) {
    group.signal('SIGKILL');
    await reap(marker.run, { delegation: marker.delegation, patience: lastPatience });
    if (await emptied(group, 50)) return void (await ended);
  }
}

/** Polls often at first: most programs end within milliseconds. */
async function emptied(group: ProcessGroup, most: number, signal?: AbortSignal): Promise<boolean> {
  const until = performance.now() + most;
  for (let pause = 2; !group.isEmpty(); pause = Math.min(pause * 2, 50)) {
    const rest = until - performance.now();
    if (rest <= 0 || signal?.aborted) return false;
    await sleep(Math.min(pause, rest), undefined, signal ? { signal } : {}).catch(() => {});
  }
  return true;
}

/** Why a program could not be started. The system uses one code for several causes: this tells them apart. */
function startFault(spec: AnySpec, error: unknown): string {
  const [program = ''] = spec.argv;
  if (program === '') return 'no program given';
  const directory = directoryFault(spec.directory);
  if (directory) return directory;
  const code = systemCode(error);
  const path = error instanceof Error && 'path' in error ? String(error.path) : program;
  if (path !== program) return `${path} cannot be used: ${String(code)}`;
  switch (code ?? '') {
    case 'ENOENT':
      return program.includes('/')
        ? `${program} does not exist, or its interpreter does not`
        : `${program} was not found on the PATH`;
    case 'EACCES':
      // For a bare name, one unreadable folder of the PATH is enough to get this.
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
    return statSync(directory).isDirectory() ? null : `the working directory ${directory} is not a folder`;
  } catch {
    return `the working directory ${directory} does not exist`;
  }
}
