/**
 * Starts a program under a confinement: finds out first what the system would say about a program that cannot be started, since the
 * program that confines says it in words only.
 */
import { constants as osConstants } from 'node:os';
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { bubblewrapArgv } from './bubblewrap.ts';
import type { Confinement, Mount } from './confinement.ts';
import { sandboxExecArgv } from './sandbox-exec.ts';

export interface ConfinedCall {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly directory: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Throws what `spawn` would report. */
export function confinedArgv(confinement: Confinement, { argv, directory, variables }: ConfinedCall): string[] {
  const [program = ''] = argv;
  if (process.platform === 'darwin') return sandboxExecArgv(confinement, argv);
  checkProgram(program, directory, variables['PATH'] ?? '');
  const mounts = [...(process.getuid?.() === 0 ? ofRoot() : []), ...confinement.mounts];
  return bubblewrapArgv({ ...confinement, mounts }, { argv, directory });
}

/** Through these, root reaches the whole system without any capability: `/proc/sys/kernel/core_pattern` starts programs. */
const rootsDoors = ['sys', 'irq', 'bus', 'acpi', 'scsi', 'fs', 'mtrr', 'sysrq-trigger'];

function ofRoot(): Mount[] {
  const paths = rootsDoors.map((name) => `/proc/${name}`).filter((path) => existsSync(path));
  return paths.map((path) => ({ as: 'readable', path }));
}

/** The signals that end programs. Some programs exit with 128 and the number of another. */
const ending: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL'] as const),
  ...(['SIGSEGV', 'SIGPIPE', 'SIGALRM', 'SIGTERM', 'SIGXCPU', 'SIGXFSZ', 'SIGSYS'] as const),
];

/** A confined program that a signal ended is reported with 128 and the number of the signal. */
export function signalIn(code: number): NodeJS.Signals | undefined {
  return ending.find((name) => osConstants.signals[name] === code - 128);
}

function checkProgram(program: string, directory: string, path: string): void {
  if (!statSync(directory).isDirectory()) throw fault('ENOTDIR', directory);
  const candidates = program.includes('/')
    ? [resolve(directory, program)]
    : path.split(delimiter).map((folder) => join(isAbsolute(folder) ? folder : resolve(directory, folder), program));
  const codes = program === '' ? ['ENOENT'] : candidates.map(faultOf);
  if (codes.includes(undefined)) return;
  throw fault(codes.includes('EACCES') ? 'EACCES' : 'ENOENT', program);
}

function fault(code: string, path: string): Error {
  return Object.assign(new Error(`spawn ${path} ${code}`), { code, path });
}

/** Undefined for a program that can be started. */
function faultOf(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return 'EACCES';
    accessSync(file, constants.X_OK);
    const interpreter = interpreterOf(file);
    return interpreter === undefined || existsSync(interpreter) ? undefined : 'ENOENT';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'EACCES' : 'ENOENT';
  }
}

function interpreterOf(file: string): string | undefined {
  let head: string;
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(256);
      head = bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // A program that may be executed and not read.
    return undefined;
  }
  return /^#![ \t]*([^\s]+)/.exec(head)?.[1];
}
