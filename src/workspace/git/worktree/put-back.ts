/** In an index with the files of a worktree: what set-up did to them, and the agent left as it was, is undone. */
import { foldersOf } from '../../../base/paths.ts';
import { fieldsOf, type GitPlace, git } from '../git.ts';

interface Entry {
  /** From the top of the repository. */
  readonly path: string;
  /** What set-up found, as `mode blob`; all zeros where there was nothing. */
  readonly before: string;
}

/** `setUp`: as `keepSetUp` made it. Answers what was put back, from the top of the repository. */
export async function putBack(place: GitPlace, setUp: string): Promise<string[]> {
  const did = await doneBy(place, setUp);
  if (did.length === 0) return [];
  const differs = ['diff-index', '--cached', '--name-only', '-z', '--no-renames', setUp, '--'];
  const ofAgent = new Set(fieldsOf((await git(place, differs)).stdout));
  const aboveAgents = new Set([...ofAgent].flatMap(foldersOf));
  // A file of the agent where a folder was, or the other way round, would have to go for it.
  const isInTheWay = (path: string): boolean =>
    aboveAgents.has(path) || foldersOf(path).some((folder) => ofAgent.has(folder));
  const back = did.filter(({ path, before }) => !ofAgent.has(path) && (isNothing(before) || !isInTheWay(path)));
  // What goes makes room for what comes.
  const ordered = [
    ...back.filter(({ before }) => isNothing(before)),
    ...back.filter(({ before }) => !isNothing(before)),
  ];
  const input = ordered.map(({ path, before }) => `${before}\t${path}\0`).join('');
  await git(place, ['update-index', '-z', '--index-info'], { input });
  return back.map(({ path }) => path);
}

const isNothing = (before: string): boolean => before.startsWith('000000 ');

/** Pairs of fields: `:modes blobs letter`, path. Nothing where somebody has taken the commit away. */
async function doneBy(place: GitPlace, setUp: string): Promise<Entry[]> {
  const shape = ['-r', '--raw', '-z', '--no-renames', '--no-abbrev'];
  const { code, stdout } = await git(place, ['diff-tree', ...shape, `${setUp}^`, setUp, '--'], { answers: [0, 128] });
  const fields = code === 0 ? fieldsOf(stdout) : [];
  return fields.flatMap((path, at) => {
    if (at % 2 === 0) return [];
    const [mode = '', , blob = ''] = (fields[at - 1] ?? '').slice(1).split(' ');
    return [{ path, before: `${mode} ${blob}` }];
  });
}
