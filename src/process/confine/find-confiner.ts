/** Finds out once whether programs can be confined on this machine, by confining one. */
import { execFile } from 'node:child_process';
import { redactedLine } from '../../base/text.ts';
import { findProgram } from '../find-program.ts';
import { bubblewrapBase } from './bubblewrap.ts';

export type Confiner =
  /** Absolute. `nests`: a confined program can confine others in turn. */
  | { readonly program: string; readonly nests: boolean }
  /** Why not, and what a person can do about it. */
  | { readonly missing: string; readonly fix: string };

const known = new Map<string, Promise<Confiner>>();

export async function findConfiner(environment: NodeJS.ProcessEnv): Promise<Confiner> {
  const path = environment['PATH'] ?? '';
  const found = known.get(path) ?? look(environment);
  known.set(path, found);
  return found;
}

async function look(environment: NodeJS.ProcessEnv): Promise<Confiner> {
  if (process.platform === 'darwin') return { program: '/usr/bin/sandbox-exec', nests: false };
  if (process.platform !== 'linux') {
    return {
      missing: `nothing confines programs on ${process.platform}`,
      fix: 'Use Linux, or a container or VM of its own.',
    };
  }
  const program = await findProgram('bwrap', environment, '/');
  if (program === undefined) {
    return {
      missing: 'bubblewrap is not installed',
      fix: 'Install the package bubblewrap (apt install bubblewrap, dnf install bubblewrap).',
    };
  }
  const nested = [program, ...bubblewrapBase, '--', ...nothing];
  const [fault, cannotNest] = await Promise.all([probe(program, nothing), probe(program, nested)]);
  if (fault === undefined) return { program, nests: cannotNest === undefined };
  return {
    missing: `bubblewrap cannot confine a program here: ${fault}`,
    fix: 'Allow user namespaces: sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone and, on Ubuntu, kernel.apparmor_restrict_unprivileged_userns.',
  };
}

const nothing = ['/bin/sh', '-c', ':'];

function probe(program: string, argv: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, [...bubblewrapBase, '--', ...argv], { timeout: 10_000 }, (error, _, stderr) => {
      resolve(error === null ? undefined : redactedLine(stderr.trim() || error.message, 200));
    });
  });
}
