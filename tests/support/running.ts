/** The real command while it runs: what it has said so far, signals to it, and whatever it leaves running. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { environment, mainFile, type Run } from './tutti.ts';

export interface Running {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Run>;
}

export interface Around {
  readonly cwd: string;
  /** Variables beside those every test has. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly input?: string;
}

export function startTutti(args: readonly string[], { cwd, variables = {}, input = '' }: Around): Running {
  const env = { ...environment(cwd), ...variables };
  const child = spawn(process.execPath, [mainFile, ...args], { cwd, env, stdio: 'pipe' });
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
    ended,
  };
}

/** What runs in a folder and has a word in its command line; only Linux tells. */
export function processesIn(folder: string, word = 'worker.mjs'): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const isHere = readlinkSync(join('/proc', name, 'cwd')) === folder;
      return isHere && readFileSync(join('/proc', name, 'cmdline'), 'utf8').includes(word) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
