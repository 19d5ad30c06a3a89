/** Asks a program for its version, with a time limit and a small environment. Kills everything it started. */
import { spawn } from 'node:child_process';
import { messageOf } from '../base/error.ts';
import { redactedLine } from '../base/text.ts';
import { processGroup } from './process-group.ts';

export type ProgramVersion = { readonly version: string } | { readonly fault: string };

export interface VersionQuestion {
  /** Absolute. */
  readonly program: string;
  readonly directory: string;
  /** Its whole environment; see `environment.ts`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly limit?: number;
}

const mostOutput = 16 * 1024;

export async function programVersion(question: VersionQuestion): Promise<ProgramVersion> {
  const { program, directory, environment, limit = 5000 } = question;
  const child = spawn(program, ['--version'], {
    cwd: directory,
    env: environment,
    // In its own group, which is killed as a whole.
    detached: true,
    shell: false,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = child.pid === undefined ? null : processGroup(child.pid);
  const said = { stdout: '', stderr: '' };
  for (const from of ['stdout', 'stderr'] as const) {
    child[from].setEncoding('utf8').on('data', (text: string) => {
      said[from] = (said[from] + text).slice(0, mostOutput);
    });
  }
  const timers: NodeJS.Timeout[] = [];
  try {
    return await new Promise<ProgramVersion>((resolve) => {
      timers.push(setTimeout(() => resolve({ fault: `it did not answer within ${limit / 1000} s` }), limit));
      child.once('error', (error) => resolve({ fault: shown(messageOf(error)) }));
      child.once('exit', (code) => {
        group?.leaderEnded();
        // A child may hold its output open: everything is written by now.
        timers.push(setTimeout(() => resolve(versionIn(said, code)), 200));
      });
      child.once('close', (code) => resolve(versionIn(said, code)));
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    group?.signal('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

const shown = (text: string): string => redactedLine(text, 200);

function versionIn({ stdout, stderr }: Record<'stdout' | 'stderr', string>, code: number | null): ProgramVersion {
  if (code !== 0) {
    const why = shown(stderr.trim().split('\n')[0] ?? '');
    return { fault: `--version ended with ${code ?? 'a signal'}${why === '' ? '' : `: ${why}`}` };
  }
  const [number] = /\d{1,9}\.\d{1,9}(?:\.[\w+-]{1,40}){0,3}/.exec(stdout) ?? [];
  const version = number ?? shown(stdout.trim().split('\n')[0] ?? '');
  return version === '' ? { fault: '--version said nothing' } : { version: shown(version) };
}
