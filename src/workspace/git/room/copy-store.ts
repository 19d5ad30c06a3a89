/**
 * The private repository of a plain folder, `store.git` in its state folder. Each run starts with a commit of the folder's
 * current content; from then on it is a repository like any other.
 */
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { divisiError } from '../../../base/error.ts';
import { leadsOut } from '../../../base/paths.ts';
import { stateRoot } from '../../places.ts';
import { makeStateFolder } from '../../state-folder.ts';
import { commitTree, type NewCommit } from '../commit-tree.ts';
import { complaint, fieldsOf, git, gitText } from '../git.ts';
import { checkout, type Repository, shared } from '../repository.ts';

/** Never copied, in addition to what the folder's `.gitignore` files name. */
const left = ['.divisi/*', '!.divisi/specs/', 'node_modules/', '.venv/', 'venv/', '__pycache__/', '.DS_Store'];

/** A run started in a home folder by mistake should fail quickly. */
const most = { files: 100_000, bytes: 2 * 1024 ** 3 };

/** Called before the repository's lock is taken, which is a file in this folder. */
export async function makeStore(repository: Repository): Promise<void> {
  makeStateFolder(repository.project, repository.environment);
  await mkdir(repository.gitDir, { recursive: true, mode: 0o700 });
}

/** Called under the lock. Commits the folder as it is now. */
export async function commitFolder(repository: Repository, commit: Omit<NewCommit, 'tree'>): Promise<string> {
  await git(shared(repository), ['init', '--quiet', '--bare', '--template=', '.']);
  await mkdir(join(repository.gitDir, 'info'), { recursive: true });
  await writeFile(
    join(repository.gitDir, 'info/exclude'),
    `${[...left, ...ownFoldersInside(repository)].join('\n')}\n`,
  );
  await git(shared(repository), ['config', 'core.autocrlf', 'false']);
  await refuseLarge(repository);
  const added = await git(checkout(repository), ['add', '-A', '--', '.'], { answers: [0, 1, 128] });
  if (added.code !== 0) throw notCopied(complaint(added));
  const tree = await gitText(checkout(repository), ['write-tree']);
  return commitTree(repository, { ...commit, tree });
}

/** State and rooms of all projects, where a folder is one's home. */
function ownFoldersInside({ project, environment, rooms }: Repository): string[] {
  const paths = [stateRoot(environment), dirname(rooms)].map((folder) => relative(project, folder));
  return paths.filter((path) => !leadsOut(path)).map((path) => `/${path}/`);
}

async function refuseLarge(repository: Repository): Promise<void> {
  const { stdout } = await git(checkout(repository), ['ls-files', '-z', '--others', '--exclude-standard']);
  const files = fieldsOf(stdout);
  if (files.length > most.files) throw tooLarge(`${files.length} files`);
  let bytes = 0;
  for (const file of files)
    bytes += await lstat(join(repository.project, file)).then(
      ({ size }) => size,
      () => 0,
    );
  if (bytes > most.bytes) throw tooLarge(`${Math.round(bytes / 1024 ** 2)} MiB`);
}

function tooLarge(got: string): Error {
  return divisiError('WORKSPACE_UNSUPPORTED', {
    message: 'this folder is not a git repository and is too large to copy for a run',
    expected: `at most ${most.files} files and ${most.bytes / 1024 ** 3} GiB`,
    got,
    next: 'Run divisi in the project itself, make it a repository (git init and a first commit), or list what no task needs in a .gitignore.',
  });
}

function notCopied(why: string): Error {
  return divisiError('WORKSPACE_UNSUPPORTED', {
    message: `this folder is not a git repository and cannot be copied for a run: ${why}`,
    next: 'Make every file readable; commit nested repositories or list them in a .gitignore; or run divisi inside one of them.',
  });
}
