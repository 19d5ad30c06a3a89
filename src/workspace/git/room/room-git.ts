/**
 * Writes a room's own `.git`: a repository that borrows the objects of the user's and shares nothing else. Refs, config, stash and
 * hooks are the agent's; it has no remote, so that nothing in the room leads back into the user's repository.
 *
 * Written by hand: `git clone --shared` copies all of a shallow or partial repository, and every ref of the user.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { CommitIdentity } from '../commit-tree.ts';
import { isMissing } from '../../project-path.ts';
import type { Repository } from '../repository.ts';
import type { FileSettings } from './file-settings.ts';

export interface RoomGit {
  /** Absolute: the top of the room. */
  readonly folder: string;
  readonly commit: string;
  /** The author of the agent's own commits, which are not part of its work. */
  readonly identity: CommitIdentity;
  readonly settings: FileSettings;
}

/** The repository whose objects are borrowed. */
type Source = Pick<Repository, 'gitDir'>;

/** The branch that the agent sees. */
const branch = 'work';

export async function writeRoomGit(repository: Source, { folder, commit, identity, settings }: RoomGit): Promise<void> {
  const at = join(folder, '.git');
  const files = {
    HEAD: `ref: refs/heads/${branch}\n`,
    config: configOf(commit, identity, settings),
    [`refs/heads/${branch}`]: `${commit}\n`,
    'objects/info/alternates': `${(await objectFolders(repository)).join('\n')}\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), text);
  }
  await mkdir(join(at, 'info'), { recursive: true });
  for (const path of ['shallow', 'info/exclude', 'info/attributes']) await copyIfThere(repository, path, at);
}

/** A hash of 64 digits is a SHA-256. Signing would ask for the user's key; a global hooks folder would run in the room. */
function configOf(commit: string, { name, email }: CommitIdentity, settings: FileSettings): string {
  const isSha256 = commit.length === 64;
  return [
    '[core]',
    `\trepositoryformatversion = ${isSha256 ? 1 : 0}`,
    '\tbare = false',
    '\tlogallrefupdates = true',
    '\thooksPath = .git/hooks',
    ...Object.entries(settings).map(([key, value]) => `\t${key} = ${value}`),
    ...(isSha256 ? ['[extensions]', '\tobjectFormat = sha256'] : []),
    '[user]',
    `\tname = ${quoted(name)}`,
    `\temail = ${quoted(email)}`,
    '[commit]',
    '\tgpgSign = false',
    '[tag]',
    '\tgpgSign = false',
    '[gc]',
    '\tauto = 0',
    // Large files stay pointers, whether or not git-lfs is installed.
    '[filter "lfs"]',
    '\tclean =',
    '\tsmudge =',
    '\tprocess =',
    '\trequired = false',
    '',
  ].join('\n');
}

const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', ' ')}"`;

/** The repository's own objects, and those it borrows itself: git ignores relative paths in alternates of alternates. */
async function objectFolders({ gitDir }: Source): Promise<string[]> {
  const own = join(gitDir, 'objects');
  const text = await readFile(join(own, 'info/alternates'), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw error;
  });
  const borrowed = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return [own, ...borrowed.map((path) => (isAbsolute(path) ? path : resolve(own, path)))];
}

/** The folders that rooms borrow objects from, those of submodules included. */
export async function borrowedObjects(repository: Source): Promise<string[]> {
  return [...(await objectFolders(repository)), join(repository.gitDir, 'modules')];
}

async function copyIfThere({ gitDir }: Source, path: string, to: string): Promise<void> {
  try {
    await copyFile(join(gitDir, path), join(to, path));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
