/** The real command in a process of its own, with a home of its own and nothing else from the environment. */
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { recordTrust, trustOf } from '../../src/project/trust/trust.ts';
import { findProject } from '../../src/workspace/find-project.ts';
import { repository } from './repository.ts';

/** What `build-command.ts` made; without it, the sources. */
const built = process.env['DIVISI_TEST_COMMAND'];
export const mainFile: string =
  built === undefined ? join(repository, 'src/cli/main.ts') : join(built, 'dist/cli/main.js');

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  /** Standard input; nothing by default. */
  readonly input?: string | Buffer;
  /** On top of the environment, or in its place. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Node keeps what it compiled here: a start takes a third of the time, and nothing else changes. */
const compiled = join(built ?? join(repository, 'node_modules/.cache'), 'divisi-tests');

/**
 * HOME is the working directory itself, so that nothing of the person who runs the tests is seen. Whoever wrote the test says yes to
 * what its project can execute, as it is now: what a person in CI does.
 */
export function environment(home: string): Record<string, string> {
  return { ...untrusting(home), ...trusted(home) };
}

/** The same without the yes. */
export function untrusting(home: string): Record<string, string> {
  const { PATH = '', DIVISI_STATE = '', DIVISI_ROOMS = '', XDG_CONFIG_HOME = '' } = process.env;
  return { PATH, HOME: home, NODE_COMPILE_CACHE: compiled, DIVISI_STATE, DIVISI_ROOMS, XDG_CONFIG_HOME };
}

/** A yes to what the project around a folder can execute now. A project that cannot be read has none to say. */
export function trusted(folder: string): { readonly DIVISI_TRUST?: string } {
  try {
    const { hash } = trustOf({ project: findProject(folder), environment: process.env });
    return hash === '' ? {} : { DIVISI_TRUST: hash };
  } catch {
    return {};
  }
}
/** Records that yes, for programs that pass on no variables. */
export async function sayYes(project: string): Promise<void> {
  const place = { project, environment: process.env };
  await recordTrust(place, trustOf(place));
}

/** Gives a home the config of the tests' own user, for programs that have XDG_CONFIG_HOME for themselves. */
export function configureHome(home: string): void {
  const { XDG_CONFIG_HOME: config } = process.env;
  if (config !== undefined) cpSync(join(config, 'divisi'), join(home, '.config/divisi'), { recursive: true });
}

/** Variables of a user who does not confine agents. */
export const unconfined = { XDG_CONFIG_HOME: join(process.env['XDG_CONFIG_HOME'] ?? '', '../unconfined') };

export async function divisi(args: readonly string[], { cwd, input = '', variables = {} }: Surroundings): Promise<Run> {
  const env = { ...environment(cwd), ...variables };
  const child = spawn(process.execPath, [mainFile, ...args], { cwd, env, stdio: 'pipe' });
  // A command that does not read its input closes the pipe; that is its right.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code));
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
