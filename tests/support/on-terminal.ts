/** The real command with a pseudo-terminal on both ends, made by `script`; typed to when it asks. */
import { spawn, spawnSync } from 'node:child_process';
import { environment, mainFile } from './divisi.ts';

const program = 'script';

/** BSD's takes other options. */
export const hasTerminal: boolean =
  spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;

if (!hasTerminal)
  console.warn('SKIPPED: util-linux `script` is not installed, so nothing is known of questions on a terminal');

export interface Typed {
  readonly code: number | null;
  readonly shown: string;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** What is typed; or what happens while it is asked, and what is typed then. */
type Key = string | (() => string);

/** `keys` are typed one after another, each when there is a new prompt. */
export async function typeTo(
  args: readonly string[],
  cwd: string,
  keys: readonly Key[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Typed> {
  const line = [process.execPath, mainFile, ...args].map(quoted).join(' ');
  const child = spawn(program, ['-qec', line, '/dev/null'], {
    cwd,
    env: { ...environment(cwd), ...variables, TERM: 'xterm', SHELL: '/bin/sh' },
    stdio: 'pipe',
  });
  let shown = '';
  let typed = 0;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    shown += piece;
    const prompts = shown.split('> ').length - 1;
    const key = keys[typed];
    if (key === undefined || prompts <= typed) return;
    typed += 1;
    child.stdin.write(typeof key === 'string' ? key : key());
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, shown };
}
