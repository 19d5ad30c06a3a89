/**
 * Confines programs to a room: they change the room, a private `/tmp` and what the user allows, and do not see secrets, other rooms or
 * our own state. The user's checkout and programs are readable as usual.
 */
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { liesWithin } from '../../base/paths.ts';
import { divisiError } from '../../base/error.ts';
import type { ConfineSettings } from '../../config/confine-settings.ts';
import type { Confinement, Mount } from '../../process/confine/confinement.ts';
import { findConfiner } from '../../process/confine/find-confiner.ts';
import { homeIn, stateRoot } from '../places.ts';
import { isWrittenBefore } from '../state-folder.ts';
import type { Repository } from '../git/repository.ts';
import { borrowedObjects } from '../git/room/room-git.ts';
import { recordFolder } from '../git/room/room-record.ts';
import { confineSettingsOf } from './confine-settings-of.ts';
import { otherHomes, ownHomes, secretPlaces, systemPlaces } from './hidden-places.ts';
import { packageCache } from './package-cache.ts';
import { realPlace } from './real-place.ts';

type Around = Omit<Confinement, 'private' | 'room'>;

/** What holds for all rooms of a repository, as long as this process runs. */
const surroundings = new WeakMap<Repository, Promise<Around | undefined>>();

/** Undefined where programs are not confined. */
export async function confineRoom(repository: Repository, folder: string): Promise<Confinement | undefined> {
  const known = surroundings.get(repository) ?? around(repository);
  surroundings.set(repository, known);
  const held = await known;
  if (held === undefined) return undefined;
  const own = recordFolder(repository, folder);
  const [tmp, varTmp] = [join(own, 'tmp'), join(own, 'var-tmp')];
  for (const path of [tmp, varTmp]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const room = realPlace(folder) ?? folder;
  const mounts: readonly Mount[] = [
    { as: 'writable', path: '/tmp', from: tmp },
    { as: 'writable', path: '/var/tmp', from: varTmp },
    ...held.mounts,
    { as: 'writable', path: room },
  ];
  // Only there can a folder be shown in the place of another.
  const variables = process.platform === 'linux' ? held.variables : { ...held.variables, TMPDIR: tmp };
  return { ...held, mounts, variables, room, private: own };
}

async function around(repository: Repository): Promise<Around | undefined> {
  const { project, environment, state } = repository;
  const settings = await confineSettingsOf(project, environment);
  if (settings.mode === 'off') return undefined;
  const confiner = await findConfiner(environment);
  if ('missing' in confiner) {
    if (!settings.isWanted) return undefined;
    throw divisiError('CONFINE_UNAVAILABLE', {
      message: `agents cannot be confined, and the config asks for it: ${confiner.missing}`,
      next: `${confiner.fix} Or set \`confine: { mode: off }\` in your own config.`,
    });
  }
  if (settings.mode === 'files+network') {
    throw divisiError('CONFINE_UNAVAILABLE', {
      message: 'this version cannot confine the network, and the config asks for it: files+network',
      next: 'Set `confine: { mode: files }`, or run Divisi where the network is confined.',
    });
  }
  const cache = packageCache(state);
  const mounts: readonly Mount[] = [
    ...(await mountsAround(repository, settings)),
    { as: 'writable', path: realPlace(cache.folder) ?? cache.folder },
  ];
  const variables = { TMPDIR: '/tmp', ...cache.variables };
  return { ...confiner, mounts, variables, kept: join(state, 'clients') };
}

async function mountsAround(repository: Repository, settings: ConfineSettings): Promise<Mount[]> {
  const { environment, top, rooms } = repository;
  const homes = ownHomes(environment);
  const isIn = (path: string, folders: readonly string[]): boolean => folders.some((one) => liesWithin(path, one));
  const others = otherHomes(homes);
  const system = [...systemPlaces(), ...others];
  const secret = secretPlaces(environment, homes, rooms);
  const writable = chosen(settings.writable, environment);
  const borrowed = (await borrowedObjects(repository)).flatMap((path) => realPlace(path) ?? []);
  const readable = [top, ...borrowed, ...programPlaces(environment, others), ...resolverFiles].flatMap(
    (path) => realPlace(path) ?? [],
  );
  const back = (paths: readonly string[], hidden: readonly string[]): Mount[] =>
    paths.filter((path) => isIn(path, hidden)).map((path) => ({ as: 'readable', path }));

  const shown = readable.filter((path) => isIn(path, secret));
  const hide = (path: string): Mount => hiddenMount(path, environment);
  return [
    ...system.map(hide),
    ...back([...homes, ...readable], [...system, '/tmp', '/var/tmp']),
    ...writable.map((path): Mount => ({ as: 'writable', path })),
    ...secret.map(hide),
    ...shown.map((path): Mount => ({ as: 'readable', path })),
    ...secret.filter((path) => isIn(path, shown)).map(hide),
    ...writable.filter((path) => isIn(path, secret)).map((path): Mount => ({ as: 'writable', path })),
    ...chosen(settings.visible, environment).map((path): Mount => ({ as: 'readable', path })),
  ];
}

/** Names are looked up through these, and some systems keep them in `/run`. */
const resolverFiles = ['/etc/resolv.conf', '/run/systemd/resolve', '/run/nscd', '/run/current-system', '/run/wrappers'];

/** Folders with programs; of a home of others, all of the folder that has them. */
function programPlaces({ PATH: path = '' }: NodeJS.ProcessEnv, others: readonly string[]): string[] {
  const folders = [...path.split(delimiter), dirname(process.execPath), ownPackage];
  return folders.filter(isAbsolute).flatMap((folder) => {
    const real = realPlace(folder);
    const home = real === undefined ? undefined : others.find((one) => liesWithin(real, one));
    if (real === undefined || home === undefined) return real === undefined ? [] : [installation(real)];
    const [first = ''] = real.slice(home.length + 1).split('/');
    return first === '' ? [] : [join(home, first)];
  });
}

/** Programs in a `bin` folder need what lies beside it. */
function installation(folder: string): string {
  const above = dirname(folder);
  return /^\.?bin$/.test(basename(folder)) && dirname(above) !== '/' && above !== '/' ? above : folder;
}

/** Programs in rooms run parts of Divisi, such as the bridge to the submit tool. */
const ownPackage = join(import.meta.dirname, '../..');

function chosen(paths: readonly string[], environment: NodeJS.ProcessEnv): string[] {
  const home = homeIn(environment) || homedir();
  return paths.flatMap((path) => realPlace(path.replace(/^~(?=\/|$)/, home)) ?? []);
}

/** A file is hidden by an empty one. */
function hiddenMount(path: string, environment: NodeJS.ProcessEnv): Mount {
  if (lstatSync(path).isDirectory()) return { as: 'hidden', path };
  return { as: 'readable', path, from: emptyFile(environment) };
}

function emptyFile(environment: NodeJS.ProcessEnv): string {
  const folder = stateRoot(environment);
  const file = join(folder, 'empty');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, '', { flag: 'wx', mode: 0o400 });
  } catch (error) {
    if (!isWrittenBefore(error)) throw error;
  }
  return file;
}
