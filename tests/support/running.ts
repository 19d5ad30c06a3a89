/** The real command while it runs: what it has said so far, signals to it, and whatever it leaves running. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { environment, mainFile, type Run } from './divisi.ts';
import { roomsFolder } from './rooms.ts';

/** A test that fails leaves no one running either. */
const started = new Set<{ readonly cwd: string; readonly end: () => unknown }>();
afterAll(() => {
  for (const { cwd, end } of started) {
    end();
    for (const pid of processesIn(cwd)) process.kill(pid, 'SIGKILL');
  }
});

export interface Running {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Its output is no longer read. */
  hangUp(): void;
  readonly ended: Promise<Run>;
}

export interface Around {
  readonly cwd: string;
  /** Variables beside those every test has. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export function startDivisi(args: readonly string[], { cwd, variables = {}, input = '' }: Around): Running {
  const env = { ...environment(cwd), ...variables };
  const child = spawn(process.execPath, [mainFile, ...args], { cwd, env, stdio: 'pipe' });
  started.add({ cwd, end: () => child.kill('SIGKILL') });
  let stdout = '';
  let stderr = '';
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (stdout += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const ended = new Promise<Run>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    hangUp: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    ended,
  };
}

/** What runs in a folder and has a word in its command line; only Linux tells. */
export function processesIn(folder: string, word = 'worker.mjs'): number[] {
  const rooms = existsSync(folder) ? roomsFolder(folder) : folder;
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const where = readlinkSync(join('/proc', name, 'cwd')).replace(/ \(deleted\)$/, '');
      const isHere = [folder, rooms].some((place) => where === place || where.startsWith(`${place}/`));
      // What confines it has its whole command line.
      if (readFileSync(join('/proc', name, 'comm'), 'utf8') === 'bwrap\n') return [];
      return isHere && readFileSync(join('/proc', name, 'cmdline'), 'utf8').includes(word) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

export { until } from './until.ts';
