/**
 * Starts a program that outlives this process: its own session, files instead of pipes, nothing waits for it. It belongs to no
 * delegation, so it is never reaped.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { messageOf } from '../base/error.ts';

export interface DetachedSpec {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** New files; an existing file is refused. */
  readonly stdout: string;
  readonly stderr: string;
}

export interface DetachedProcess {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** How it ended, in words; undefined while it runs. Never throws. */
  ended(): string | undefined;
}

export function spawnDetached({ argv, directory, environment, stdout, stderr }: DetachedSpec): DetachedProcess {
  const [program = '', ...args] = argv;
  const files: number[] = [];
  let end: string | undefined;
  let pid: number | undefined;
  try {
    for (const file of [stdout, stderr]) files.push(openSync(file, 'wx', 0o600));
    const stdio = ['ignore' as const, ...files];
    const child = spawn(program, args, { cwd: directory, env: environment, detached: true, windowsHide: true, stdio });
    ({ pid } = child);
    child.once('error', (error) => (end ??= `not started: ${error.message}`));
    child.once('exit', (code, signal) => (end ??= signal === null ? `exit code ${code}` : `ended by ${signal}`));
    child.unref();
  } catch (error) {
    end = `not started: ${messageOf(error)}`;
  } finally {
    for (const file of files) closeSync(file);
  }
  return { pid, ended: () => end };
}
