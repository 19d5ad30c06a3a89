/**
 * Trust: whether a person has seen what a project can execute, exactly as it is now. The yes is recorded outside of the project,
 * with its path and a hash; each change of what executes needs another one.
 */
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { divisiError } from '../../base/error.ts';
import { writePrivately } from '../../workspace/atomic-file.ts';
import { hashText } from '../../workspace/hash-text.ts';
import { stateFolder } from '../../workspace/places.ts';
import { isMissing } from '../../workspace/project-path.ts';
import { makeStateFolder } from '../../workspace/state-folder.ts';
import { type Executable, findExecutables } from './executables.ts';

/** A path that a person has seen may be unchanged, changed since, or new. */
export type Seen = 'same' | 'changed' | 'new';

export interface ProjectTrust {
  readonly executables: readonly (Executable & { readonly seen: Seen })[];
  /** Of all of them; empty where nothing executes. */
  readonly hash: string;
  readonly isTrusted: boolean;
}

const recordSchema = z.strictObject({
  path: z.string(),
  hash: z.string(),
  at: z.string(),
  /** Path → hash. */
  files: z.record(z.string(), z.string()),
});

const recordFile = (state: string): string => join(state, 'trust.json');

type Place = Readonly<Record<'project', string>> & { readonly environment: NodeJS.ProcessEnv };

export function trustOf({ project, environment }: Place): ProjectTrust {
  const found = findExecutables(project);
  const hash =
    found.length === 0 ? '' : hashText(JSON.stringify(found.map((one) => [one.path, one.hash]))).slice(0, 32);
  const record = readRecord({ project, environment });
  const seen = ({ path, hash: now }: Executable): Seen => {
    const then = record?.files[path];
    return then === undefined ? 'new' : then === now ? 'same' : 'changed';
  };
  return {
    executables: found.map((one) => ({ ...one, seen: seen(one) })),
    hash,
    isTrusted: hash === '' || record?.hash === hash || environment['DIVISI_TRUST'] === hash,
  };
}

/** Throws PROJECT_UNTRUSTED where nobody has said yes to what the project can execute now. */
export function requireTrust(place: Place): ProjectTrust {
  const trust = trustOf(place);
  if (trust.isTrusted) return trust;
  const { executables, hash } = trust;
  const paths = executables.filter(({ seen }) => seen !== 'same').map(({ path }) => path);
  const shown = [...new Set(paths)].slice(0, 5).join(', ') + (paths.length > 5 ? ' and more' : '');
  throw divisiError('PROJECT_UNTRUSTED', {
    message: `nobody has said yes to what this project can execute: ${shown || 'something was removed'}`,
    next: 'In a terminal, `divisi trust` shows it and asks. In CI, set DIVISI_TRUST to the hash that `divisi trust --show` prints for what you have looked at.',
    ids: { hash },
  });
}

/** What a person confirms in a form that shows a plan's commands and what the project can execute: one hash for both. */
export function confirmationHash(plan: string, { hash }: Pick<ProjectTrust, 'hash'>): string {
  return hash === '' ? plan : hashText(`${plan} ${hash}`);
}

export async function recordTrust({ project, environment }: Place, { hash, executables }: ProjectTrust): Promise<void> {
  const files = Object.fromEntries(executables.map((one) => [one.path, one.hash]));
  const record = { path: realpathSync(project), hash, at: new Date().toISOString(), files };
  const state = makeStateFolder(project, environment);
  await writePrivately(recordFile(state), `${JSON.stringify(record, null, 2)}\n`);
}

/** Answers whether there was a yes to take back. */
export function revokeTrust(place: Place): boolean {
  const isKnown = readRecord(place) !== undefined;
  rmSync(recordFile(stateFolder(place.project, place.environment)), { force: true });
  return isKnown;
}

/** Undefined where there is none for the project at this path. */
function readRecord({ project, environment }: Place): z.infer<typeof recordSchema> | undefined {
  let text: string;
  try {
    text = readFileSync(recordFile(stateFolder(project, environment)), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const read = recordSchema.safeParse(parsed(text)).data;
  return read?.path === realpathSync(project) ? read : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
