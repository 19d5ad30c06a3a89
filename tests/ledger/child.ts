/** Child processes of the ledger's tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  readonly process: ChildProcess;
  readonly lines: string[];
  /** Resolves when it has written so many whole lines. */
  has(count: number): Promise<void>;
  readonly ended: Promise<unknown>;
}

export function startChild(script: URL, args: readonly string[]): Child {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let unfinished = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (unfinished + text).split('\n');
    unfinished = parts.pop() ?? '';
    lines.push(...parts);
  });
  const ended = once(child, 'close');
  async function has(count: number): Promise<void> {
    while (lines.length < count) await Promise.race([once(child.stdout, 'data'), ended]);
  }
  return { process: child, lines, has, ended };
}
