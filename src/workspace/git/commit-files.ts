/** Commits single files of the user's checkout and nothing else: for the files Divisi keeps in sync. */
import { repositoryPath } from './changes.ts';
import { type NewCommit, withTrailers } from './commit-tree.ts';
import { complaint, fieldsOf, git, gitText } from './git.ts';
import { operationInProgress } from './merge/merge-into-checkout.ts';
import { checkout, type Repository, withRepositoryLock } from './repository.ts';

export type FilesCommit = Pick<NewCommit, 'message' | 'trailers' | 'identity'> & {
  /** Relative to the project. Missing and ignored files are skipped. */
  readonly paths: readonly string[];
};

/** The commit, or why there is none. `unchanged`: the files are already committed as they are. */
export type Committed =
  | { readonly kind: 'committed'; readonly commit: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly why: string };

/** Which of these project paths git ignores in the user's checkout; none if the folder is not a repository. */
export async function ignoredInCheckout(repository: Repository, paths: readonly string[]): Promise<string[]> {
  if (repository.kind !== 'git' || paths.length === 0) return [];
  const input = paths.map((path) => `${repositoryPath(repository, path)}\0`).join('');
  const said = await git(checkout(repository), ['check-ignore', '-z', '--stdin'], { input, answers: [0, 1] });
  const ignored = new Set(fieldsOf(said.stdout));
  return paths.filter((path) => ignored.has(repositoryPath(repository, path)));
}

/** Skips the user's hooks, which are for the user's own commits. Staged changes stay staged. */
export async function commitFiles(repository: Repository, spec: FilesCommit): Promise<Committed> {
  if (repository.kind !== 'git') return { kind: 'refused', why: 'the project is not a git repository' };
  return withRepositoryLock(repository, async () => {
    const busy = await operationInProgress(repository);
    if (busy !== undefined) return { kind: 'refused', why: `${busy} is in progress in the checkout` };
    const place = checkout(repository);
    const ignored = new Set(await ignoredInCheckout(repository, spec.paths));
    const paths = spec.paths.filter((path) => !ignored.has(path)).map((path) => repositoryPath(repository, path));
    if (paths.length === 0) return { kind: 'refused', why: 'git ignores these files' };
    const look = [
      '--literal-pathspecs',
      'status',
      '--porcelain',
      '-z',
      '--no-renames',
      '--untracked-files=all',
      '--',
      ...paths,
    ];
    const changed = fieldsOf((await git(place, look)).stdout).map((entry) => entry.slice(3));
    if (changed.length === 0) return { kind: 'unchanged' };
    // Git commits by name only files it tracks.
    const added = await git(place, ['--literal-pathspecs', 'add', '--intent-to-add', '--', ...changed], {
      answers: [0, 1, 128],
    });
    if (added.code !== 0) return { kind: 'refused', why: complaint(added) };
    const said = await git(
      place,
      ['--literal-pathspecs', 'commit', '--quiet', '--no-verify', '--only', '-F', '-', '--', ...changed],
      {
        input: `${withTrailers(spec.message, spec.trailers ?? [])}\n`,
        variables: identityOf(spec),
        answers: [0, 1, 128],
      },
    );
    if (said.code !== 0)
      return { kind: 'refused', why: complaint({ ...said, stderr: said.stderr || said.stdout.toString('utf8') }) };
    return { kind: 'committed', commit: await gitText(place, ['rev-parse', '--verify', 'HEAD^{commit}']) };
  });
}

function identityOf({ identity: { name, email } }: FilesCommit): Record<string, string> {
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}

/** The newest recent commit of the checkout with this trailer. */
export async function commitWithTrailer(
  repository: Repository,
  trailers: readonly (readonly [key: string, value: string])[],
): Promise<string | undefined> {
  if (repository.kind !== 'git') return undefined;
  const wanted = trailers.map(([key, value]) => `${key}: ${value}`);
  const look = ['log', '-50', '-z', '--format=%H%n%B'];
  const said = await git(checkout(repository), look, { answers: [0, 128] });
  const found = fieldsOf(said.stdout).find((entry) => {
    const lines = new Set(entry.split('\n'));
    return wanted.every((line) => lines.has(line));
  });
  return found?.slice(0, found.indexOf('\n'));
}
