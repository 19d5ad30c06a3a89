/** Hashes files of the checkout as git would, without a process as long as they are as expected. */
import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout, findRepository } from './repository.ts';
import { gitText } from './git.ts';

/** Bytes; git hashes larger files, piece by piece. */
const mostRead = 8 * 1024 * 1024;

/** Path → hash; without files that are missing. `expected` is the same with the hashes they had, relative to the project. */
export async function hashesInCheckout(
  project: string,
  environment: NodeJS.ProcessEnv,
  expected: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const unlike: string[] = [];
  for (const [path, print] of expected) {
    const hash = await hashOf(join(project, path), print.length === 64 ? 'sha256' : 'sha1');
    if (hash !== undefined) found.set(path, hash.print);
    if (hash !== undefined && hash.print !== print && hash.isFile) unlike.push(path);
  }
  // Git may convert line ends and the like before it hashes.
  for (const [at, hash] of (await hashesByGit(project, environment, unlike)).entries())
    found.set(unlike[at] ?? '', hash);
  return found;
}

/** Undefined unless it is a file or a link. */
async function hashOf(file: string, kind: string): Promise<{ print: string; isFile: boolean } | undefined> {
  try {
    const stat = await lstat(file);
    if (!stat.isFile() && !stat.isSymbolicLink()) return undefined;
    if (stat.size > mostRead) return { print: '', isFile: stat.isFile() };
    const content = stat.isFile() ? await readFile(file) : Buffer.from(await readlink(file));
    const print = createHash(kind).update(`blob ${content.length}\0`).update(content).digest('hex');
    return { print, isFile: stat.isFile() };
  } catch {
    return undefined;
  }
}

async function hashesByGit(
  project: string,
  environment: NodeJS.ProcessEnv,
  paths: readonly string[],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const place = { ...checkout(await findRepository(project, environment)), directory: project };
  const input = paths.map((path) => `${quoted(path)}\n`).join('');
  return (await gitText(place, ['hash-object', '--stdin-paths'], { input })).split('\n');
}

/** Git reads a quoted line as a C string. */
const quoted = (path: string): string =>
  /["\\\n\t]/.test(path)
    ? `"${path
        .replaceAll(/["\\]/g, String.raw`\$&`)
        .replaceAll('\n', String.raw`\n`)
        .replaceAll('\t', String.raw`\t`)}"`
    : path;
