/** The rooms of a project, seen from outside, and the project, seen from a room. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectKey } from '../../src/workspace/places.ts';

/** Code of a worker: `home` is the project, whatever folder it works in. */
export const findHome = `
const { readFileSync: readPath } = await import('node:fs');
const [, key] = /\\/rooms\\/([^/]+)\\//.exec(process.cwd() + '/') ?? [];
const projects = process.env.DIVISI_STATE + '/projects/';
const home = process.env.DIVISI_PROJECT ?? (key === undefined ? process.cwd() : readPath(projects + key + '/path', 'utf8').trimEnd());
`;

/** The same for \`sh\`. */
export const findHomeInShell = `
home="$PWD"
case "$PWD" in */rooms/*)
  key="\${PWD#*/rooms/}"
  home="$(cat "$DIVISI_STATE/projects/\${key%%/*}/path")";;
esac
`;

/** The folder with the rooms of a project. */
export function roomsFolder(project: string): string {
  return join(process.env['DIVISI_ROOMS'] ?? '', projectKey(project));
}

/** The names of a run's rooms; of all runs when absent. */
export function roomsOf(project: string, run?: string): string[] {
  const top = roomsFolder(project);
  const runs = run === undefined ? namesIn(top) : [run.slice(-8)];
  return runs.flatMap((one) => namesIn(join(top, one)));
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : []);
