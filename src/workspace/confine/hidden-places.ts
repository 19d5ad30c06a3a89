/** Lists what programs in rooms do not see: secrets, other homes, other rooms, our own state, and doors into the running system. */
import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { userInfo } from 'node:os';
import { homeIn, roomsRoot, stateRoot } from '../places.ts';
import { userConfigFile } from '../user-config.ts';
import { realPlace } from './real-place.ts';

/** Of each home. */
const secrets = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.netrc',
  '.git-credentials',
  '.config/gh',
  '.config/gcloud',
  '.config/git/credentials',
  '.local/share/keyrings',
  '.password-store',
];

/** The homes of this user: the variable, and the system's word. */
export function ownHomes(environment: NodeJS.ProcessEnv): string[] {
  const homes = [homeIn(environment), systemHome()];
  return [...new Set(homes.flatMap((home) => realPlace(home) ?? []))];
}

function systemHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    // A user without an entry in the system's list.
    return '/';
  }
}

/** Sockets of containers, agents for keys, buses and displays are all in `/run`. */
export function systemPlaces(): string[] {
  const run = ['/run', '/var/run'].flatMap((path) => realPlace(path) ?? []);
  return [...new Set(run)];
}

/** Homes of others that a program of this user could read. */
export function otherHomes(own: readonly string[]): string[] {
  const all = ['/root', ...namesIn('/home').map((name) => join('/home', name))].flatMap(
    (path) => realPlace(path) ?? [],
  );
  return all.filter((home) => !own.includes(home) && isOthers(home));
}

/** Homes that programs were installed into are this user's own. */
function isOthers(path: string): boolean {
  try {
    const facts = lstatSync(path);
    return facts.isDirectory() && (path === '/root' || facts.uid !== process.getuid?.());
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Those that exist, by their real paths. `rooms`: the folder with the rooms of one project. */
export function secretPlaces(environment: NodeJS.ProcessEnv, homes: readonly string[], rooms: string): string[] {
  const places = [
    ...homes.flatMap((home) => secrets.map((name) => join(home, name))),
    stateRoot(environment),
    dirname(rooms),
    roomsRoot(environment),
    dirname(userConfigFile(environment)),
  ];
  return [...new Set(places.flatMap((path) => realPlace(path) ?? []))];
}
