/**
 * Provides `.gitattributes` to merges without a checkout. Git reads them only from files, so those of a commit are
 * written to a folder that serves as the merge's work tree.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathFault } from '../../../base/paths.ts';
import { fieldsOf, type GitPlace, git } from '../git.ts';
import { blobText } from '../look-up.ts';
import { type Repository, shared } from '../repository.ts';

/** The prefix of such a folder's name, before its six random letters. */
export const attributesFolder = 'divisi-attributes-';

/** Undefined, without doing the work, if the commit has no attributes. */
export async function withAttributesOf<T>(
  repository: Repository,
  commit: string,
  work: (place: GitPlace) => Promise<T>,
): Promise<T | undefined> {
  const files = await attributeFiles(repository, commit);
  if (files.length === 0) return undefined;
  const workTree = await mkdtemp(join(repository.gitDir, attributesFolder));
  try {
    for (const { path, blob } of files) {
      const file = join(workTree, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, withoutPrograms(await blobText(repository, blob)));
    }
    return await work({ ...shared(repository), workTree, directory: workTree });
  } finally {
    await rm(workTree, { recursive: true, force: true });
  }
}

/** Only regular files, like git; a tree made by hand may name anything. */
async function attributeFiles(
  repository: Repository,
  commit: string,
): Promise<{ readonly path: string; readonly blob: string }[]> {
  const { stdout } = await git(shared(repository), ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
  return fieldsOf(stdout).flatMap((entry) => {
    const tab = entry.indexOf('\t');
    const path = entry.slice(tab + 1);
    if (!/(?:^|\/)\.gitattributes$/.test(path) || pathFault(path) !== undefined) return [];
    const [mode = '', , blob = ''] = entry.slice(0, tab).split(' ');
    return mode.startsWith('100') ? [{ path, blob }] : [];
  });
}

/** Keeps git's built-in merge drivers; a program from the settings is never started because of what an agent wrote. */
function withoutPrograms(text: string): string {
  return text.replace(/(?<=[ \t])merge=(?!(?:union|binary|text)(?:\s|$))\S+/g, '');
}
