/** Inspects the commit that a run starts from: submodules and large files. Returns what people should know about rooms made from it. */
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import { fieldsOf, git } from './git.ts';
import { type Repository, shared } from './repository.ts';
import { submoduleSource, submodulesAmong } from './room/room-submodules.ts';

export async function inspectBase(repository: Repository, base: string): Promise<string[]> {
  const { stdout } = await git(shared(repository), ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', base]);
  const entries = fieldsOf(stdout);
  const submodules = submodulesAmong(entries);
  if (repository.kind === 'copy' && submodules[0] !== undefined) throw nestedRepository(submodules[0].path);
  const empty: string[] = [];
  for (const one of submodules) if ((await submoduleSource(repository, one)) === undefined) empty.push(one.path);
  const hasAttributes = entries.some((entry) => /[\t/]\.gitattributes$/.test(entry));
  return [
    ...(empty.length === 0 ? [] : [emptyText(empty)]),
    ...(hasAttributes && (await usesLargeFiles(repository, base)) ? [largeFilesText] : []),
  ];
}

function emptyText(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).map((path) => oneLine(path, 80));
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : '';
  return `submodules that your checkout does not have at the recorded commit are empty in rooms: ${shown.join(', ')}${more} (git submodule update --init)`;
}

const largeFilesText =
  'Git LFS: rooms have the pointers of large files, not their content; what an agent writes is committed as it is';

async function usesLargeFiles(repository: Repository, base: string): Promise<boolean> {
  const files = [':(top,glob)**/.gitattributes'];
  const look = ['grep', '-q', '-E', '^[^#]*[[:space:]]filter=lfs([[:space:]]|$)', base, '--', ...files];
  return (await git(shared(repository), look, { answers: [0, 1] })).code === 0;
}

function nestedRepository(path: string): Error {
  return divisiError('WORKSPACE_UNSUPPORTED', {
    message: `${oneLine(path, 100)} is a repository inside a folder that is not one`,
    next: 'Run divisi inside that repository, or list it in a .gitignore of this folder.',
  });
}
