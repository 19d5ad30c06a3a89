/** Reads which commit or tree a name refers to; undefined if there is none. */
import { failedGit, patiently } from './git.ts';
import { askGit } from './git-session.ts';
import { type Repository, shared } from './repository.ts';

export function commitOf(repository: Repository, name: string): Promise<string | undefined> {
  return hashOf(repository, `${name}^{commit}`);
}

export function treeOf(repository: Repository, name: string): Promise<string | undefined> {
  return hashOf(repository, `${name}^{tree}`);
}

export function branchHead(repository: Repository, branch: string): Promise<string | undefined> {
  return commitOf(repository, `refs/heads/${branch}`);
}

async function hashOf(repository: Repository, name: string): Promise<string | undefined> {
  if (name.includes('\n')) return undefined;
  const question = { text: `${name}\n`, ending: '\n' };
  const look = ['cat-file', '--batch-check=%(objectname)'];
  const said = await patiently(() => askGit(shared(repository), look, question));
  if (said.code !== 0) throw failedGit('cat-file', said);
  const answer = said.stdout.toString('utf8').trimEnd();
  return /^[0-9a-f]+$/.test(answer) ? answer : undefined;
}
