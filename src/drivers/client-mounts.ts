/** Confines an agent program to what it may change of its own files: log-in, conversations and logs; never what it obeys. */
import { copyFileSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Confinement, type Mount, withMounts } from '../process/confine/confinement.ts';
import type { ClientFolder } from './profiles/client-folder.ts';

export interface ConfinedClient {
  /** The profile's; files of the project's client are kept under it. */
  readonly name: string;
  readonly folders: readonly ClientFolder[];
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** It has a home of its own. */
  readonly hasOwnHome: boolean;
}

/** Creates folders that are missing: an empty folder of a program changes nothing. */
export function confineClient(confinement: Confinement, client: ConfinedClient): Confinement {
  const { HOME: home = '' } = client.environment;
  if (home === '' || !existsSync(home)) return confinement;
  const own: Mount[] = client.hasOwnHome ? [{ as: 'readable', path: realpathSync(home) }] : [];
  const places = client.folders.map((folder) => ({ folder, at: made(placeOf(folder, client.environment)) }));
  const variables = places.flatMap(({ folder: { copied, variables: [first] = [] }, at }) =>
    copied === undefined || first === undefined ? [] : [[first.name, at] as const],
  );
  const mounts = places.flatMap(({ folder, at }) => mountsOf(confinement, client, folder, at));
  return {
    ...withMounts(confinement, [...own, ...mounts]),
    variables: { ...confinement.variables, ...Object.fromEntries(variables) },
  };
}

function mountsOf(confinement: Confinement, client: ConfinedClient, folder: ClientFolder, at: string): Mount[] {
  const store = join(confinement.kept, client.name, folder.folder.replaceAll('/', '-'));
  const kept: Mount[] =
    folder.kept === 'all'
      ? [{ as: 'writable', path: at, from: made(store) }]
      : [
          { as: 'fresh', path: at },
          ...folder.kept.map((name): Mount => ({
            as: 'writable',
            path: join(at, name),
            from: made(join(store, name)),
          })),
        ];
  return [
    ...kept.map(withoutSlash),
    ...(folder.forgotten ?? []).map((name): Mount => ({ as: 'fresh', path: join(at, name) })),
    ...folder.logIn.flatMap((name) => logIn(join(at, name))),
    ...copyFor(confinement, client, folder, at),
    ...obeyed(confinement, at, folder),
  ];
}

/** A mount's path has no slash at its end. */
function withoutSlash(mount: Mount): Mount {
  return { ...mount, path: mount.path.replace(/\/$/, '') };
}

function placeOf({ folder, variables = [] }: ClientFolder, environment: Readonly<Record<string, string>>): string {
  const moved = variables.find(({ name }) => environment[name] !== undefined && environment[name] !== '');
  return moved === undefined
    ? join(environment['HOME'] ?? '', folder)
    : join(environment[moved.name] ?? '', moved.folder);
}

function made(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return realpathSync(path);
}

function logIn(path: string): Mount[] {
  return existsSync(path) ? [{ as: 'writable', path, from: realpathSync(path) }] : [];
}

function obeyed(confinement: Confinement, at: string, { obeyed: names }: ClientFolder): Mount[] {
  return names.map((name): Mount => {
    const path = join(at, name).replace(/\/$/, '');
    if (existsSync(path)) return { as: 'readable', path, from: realpathSync(path) };
    return name.endsWith('/') ? { as: 'hidden', path } : { as: 'readable', path, from: emptyFile(confinement, name) };
  });
}

/** An empty JSON file is a fault for some programs. */
function emptyFile({ private: own }: Confinement, name: string): string {
  const isJson = /\.jsonc?$/.test(name);
  const file = join(own, isJson ? 'empty.json' : 'empty');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(file, isJson ? '{}\n' : '', { mode: 0o600 });
  return file;
}

/** It lies in the home, or in the folder where a variable names that. */
function copyFor(
  { private: own }: Confinement,
  { environment }: ConfinedClient,
  folder: ClientFolder,
  at: string,
): Mount[] {
  const { copied } = folder;
  const isMoved = placeOf({ ...folder, variables: [] }, environment) !== placeOf(folder, environment);
  if (copied === undefined) return [];
  const file = join(copied.from === 'folder' || isMoved ? at : (environment['HOME'] ?? ''), copied.name);
  if (!existsSync(file)) return [];
  const copy = join(own, 'copies', copied.name);
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  copyFileSync(file, copy);
  return [{ as: 'writable', path: join(at, copied.name), from: copy }];
}
