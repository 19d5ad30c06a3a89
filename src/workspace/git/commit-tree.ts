/** Creates reproducible commits: identity and time come from the caller, nothing from this machine. */
import { flatten } from '../../base/text.ts';
import { gitText } from './git.ts';
import { type Repository, shared } from './repository.ts';

export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly trailers?: readonly (readonly [key: string, value: string])[];
  readonly identity: CommitIdentity;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export async function commitTree(
  repository: Repository,
  { tree, parents, message, trailers = [], identity, at }: NewCommit,
): Promise<string> {
  // The sign keeps git from reading a small number as a date.
  const date = `@${Math.max(0, Math.floor(at / 1000))} +0000`;
  const variables = {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
    GIT_COMMITTER_DATE: date,
  };
  const onto = parents.flatMap((parent) => ['-p', parent]);
  const input = `${withTrailers(message, trailers)}\n`;
  return gitText(shared(repository), ['commit-tree', tree, ...onto, '-F', '-'], { input, variables });
}

/** The trailers are the last paragraph: whatever the message contains, only they are read as trailers. */
export function withTrailers(message: string, trailers: NonNullable<NewCommit['trailers']>): string {
  const text = message.replaceAll('\0', ' ').toWellFormed().trim();
  if (trailers.length === 0) return text;
  return `${text}\n\n${trailers.map(([key, value]) => `${key}: ${flatten(value)}`).join('\n')}`;
}
