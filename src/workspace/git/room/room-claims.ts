/**
 * Room claims: gives each room of this user a slug and ports that no other room has, whichever project and run it belongs to. Kept in
 * `ports` of the user's state; a claim holds until its room is removed. Does not reserve a port in the system: a program of another
 * user may take it before the room's own does.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import { divisiError } from '../../../base/error.ts';
import { lazy } from '../../../base/lazy.ts';
import { withFileLock } from '../../../ledger/file-lock.ts';
import { stateRoot } from '../../places.ts';
import { isMissing, isThere } from '../../project-path.ts';
import type { Repository } from '../repository.ts';
import { isPortFree } from './port-free.ts';

type Claimant = Pick<Repository, 'environment' | 'project'>;

const claimSchema = lazy(() =>
  z.strictObject({
    /** Absolute: the room. */
    room: z.string(),
    slug: z.string(),
    /** By name, as the config has it. */
    ports: z.record(z.string(), z.int()),
  }),
);
type Claim = z.infer<ReturnType<typeof claimSchema>>;

/** Below the ports that systems give to outgoing connections. */
const firstPort = 20_000;
const lastPort = 29_999;
const longestSlug = 40;

/** The variables for everything that runs in a room; a room keeps what it has. */
export async function claimRoom(
  claimant: Claimant,
  folder: string,
  names: readonly string[],
): Promise<Record<string, string>> {
  const known = (await readClaims(claimant)).find(({ room }) => room === folder);
  if (known !== undefined && names.every((name) => Object.hasOwn(known.ports, name))) return variablesOf(known);
  return inClaims(claimant, async () => {
    const claims = await liveClaims(claimant);
    const others = claims.filter(({ room }) => room !== folder);
    const own = claims.find(({ room }) => room === folder);
    const slug = own?.slug ?? freeSlug(claimant.project, folder, others);
    const taken = new Set(others.flatMap(({ ports }) => Object.values(ports)));
    const ports = new Map(Object.entries(own?.ports ?? {}));
    for (const name of names) {
      const port = ports.get(name) ?? (await freePort(taken));
      ports.set(name, port);
      taken.add(port);
    }
    const claim = { room: folder, slug, ports: Object.fromEntries(ports) };
    await writeClaims(claimant, [...others, claim]);
    return variablesOf(claim);
  });
}

/** The variables that a room has; none if it claimed nothing. */
export async function claimedVariables(claimant: Claimant, folder: string): Promise<Record<string, string>> {
  const claim = (await readClaims(claimant)).find(({ room }) => room === folder);
  return claim === undefined ? {} : variablesOf(claim);
}

/** Called when the room is gone, and its programs with it. */
export async function releaseRoom(claimant: Claimant, folder: string): Promise<void> {
  const isOf = ({ room }: Claim): boolean => room === folder;
  if (!(await readClaims(claimant)).some(isOf)) return;
  await inClaims(claimant, async () => {
    await writeClaims(
      claimant,
      (await readClaims(claimant)).filter((one) => !isOf(one)),
    );
  });
}

function variablesOf({ slug, ports }: Claim): Record<string, string> {
  const named = Object.entries(ports).map(([name, port]) => [portVariable(name), String(port)]);
  return { DIVISI_SLUG: slug, ...(Object.fromEntries(named) as Record<string, string>) };
}

/** `web-ui` → `DIVISI_PORT_WEB_UI`. */
function portVariable(name: string): string {
  return `DIVISI_PORT_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** For names of containers, databases and hosts. */
function freeSlug(project: string, folder: string, others: readonly Claim[]): string {
  const task = plain(basename(folder)).slice(0, 20) || 'room';
  const name = plain(basename(project)).slice(0, longestSlug - task.length - 1) || 'project';
  const taken = new Set(others.map(({ slug }) => slug));
  const slug = `${name}-${task}`.replaceAll(/-+/g, '-').replace(/-$/, '');
  for (let at = 1; ; at += 1) {
    const end = at === 1 ? '' : `-${at}`;
    const one = `${slug.slice(0, longestSlug - end.length)}${end}`;
    if (!taken.has(one)) return one;
  }
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

async function freePort(taken: ReadonlySet<number>): Promise<number> {
  for (let port = firstPort; port <= lastPort; port += 1) {
    if (!taken.has(port) && (await isPortFree(port))) return port;
  }
  throw divisiError('WORKSPACE_UNSUPPORTED', {
    message: `no port between ${firstPort} and ${lastPort} is free for workspace.ports`,
    next: 'Remove rooms that are no longer needed (`divisi clean`), or end programs that listen there.',
  });
}

/** A room that was deleted by hand gives its claim back. */
async function liveClaims(claimant: Claimant): Promise<Claim[]> {
  const claims = await readClaims(claimant);
  const lives = await Promise.all(claims.map(({ room }) => isThere(room)));
  return claims.filter((_, at) => lives[at]);
}

const folderOf = ({ environment }: Claimant): string => join(stateRoot(environment), 'ports');
const fileOf = (claimant: Claimant): string => join(folderOf(claimant), 'claims.json');

async function inClaims<T>(claimant: Claimant, work: () => Promise<T>): Promise<T> {
  await mkdir(folderOf(claimant), { recursive: true, mode: 0o700 });
  return withFileLock(join(folderOf(claimant), 'lock'), work);
}

/** A file that a power failure damaged is empty: claims are made again. */
async function readClaims(claimant: Claimant): Promise<Claim[]> {
  try {
    return z.array(claimSchema()).parse(JSON.parse(await readFile(fileOf(claimant), 'utf8')));
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError || error instanceof z.core.$ZodError) return [];
    throw error;
  }
}

/** Readers take no lock: they see the old list or the new one. */
async function writeClaims(claimant: Claimant, claims: readonly Claim[]): Promise<void> {
  const temporary = `${fileOf(claimant)}.new`;
  await writeFile(temporary, JSON.stringify(claims), { mode: 0o600 });
  await rename(temporary, fileOf(claimant));
}
