/** Undoes, in an index with a room's files, the changes that set-up made and the agent left alone. */
import { foldersOf } from '../../../base/paths.ts';
import { fieldsOf, type GitPlace, git } from '../git.ts';

interface Entry {
  /** Relative to the repository's top. */
  readonly path: string;
  /** The state before set-up, as `mode blob`; all zeros if there was no file. */
  readonly before: string;
}

/** `setUp`: the commit from `keepSetUp`. Returns the restored paths, relative to the repository's top. */
export async function putBack(place: GitPlace, setUp: string): Promise<string[]> {
  const did = await doneBy(place, setUp);
  if (did.length === 0) return [];
  const differs = ['diff-index', '--cached', '--name-only', '-z', '--no-renames', setUp, '--'];
  const ofAgent = new Set(fieldsOf((await git(place, differs)).stdout));
  const aboveAgents = new Set([...ofAgent].flatMap(foldersOf));
  // Restoring it would remove a file of the agent in place of a folder, or the other way round.
  const isInTheWay = (path: string): boolean =>
    aboveAgents.has(path) || foldersOf(path).some((folder) => ofAgent.has(folder));
  const back = did.filter(({ path, before }) => !ofAgent.has(path) && (isNothing(before) || !isInTheWay(path)));
  // Deletions come first, to make room.
  const ordered = [
    ...back.filter(({ before }) => isNothing(before)),
    ...back.filter(({ before }) => !isNothing(before)),
  ];
  const input = ordered.map(({ path, before }) => `${before}\t${path}\0`).join('');
  await git(place, ['update-index', '-z', '--index-info'], { input });
  return back.map(({ path }) => path);
}

const isNothing = (before: string): boolean => before.startsWith('000000 ');

/** Pairs of fields: `:modes blobs letter`, path. Empty if the commit was removed. */
async function doneBy(place: GitPlace, setUp: string): Promise<Entry[]> {
  const shape = ['-r', '--raw', '-z', '--no-renames', '--no-abbrev'];
  const { code, stdout } = await git(place, ['diff-tree', ...shape, '--end-of-options', `${setUp}^`, setUp, '--'], {
    answers: [0, 128],
  });
  const fields = code === 0 ? fieldsOf(stdout) : [];
  return fields.flatMap((path, at) => {
    if (at % 2 === 0) return [];
    const [mode = '', , blob = ''] = (fields[at - 1] ?? '').slice(1).split(' ');
    return [{ path, before: `${mode} ${blob}` }];
  });
}
