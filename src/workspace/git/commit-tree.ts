/** Creates reproducible commits: identity and time come from the caller, nothing from this machine but a signature that is asked for. */
import { divisiError } from '../../base/error.ts';
import { flatten } from '../../base/text.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { complaint, git, gitText } from './git.ts';
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
  /** Signs it as the user's git config says. A signature is not reproducible. */
  readonly sign?: Signing | undefined;
}

export interface Signing {
  /** A key that asks for its passphrase has this long. */
  readonly seconds: number;
}

export const usualSigning: Signing = { seconds: 30 };

/** A private repository has no key of the user. */
export function signingOf({ sign, kind }: Pick<WorkspaceFacts, 'sign' | 'kind'>): Signing | undefined {
  return sign === true && kind === 'git' ? usualSigning : undefined;
}

/** Variables that lead to the programs that hold unlocked keys. */
const keyVariables = [
  'SSH_AUTH_SOCK',
  'GNUPGHOME',
  'GPG_TTY',
  'GPG_AGENT_INFO',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

export async function commitTree(
  repository: Repository,
  { tree, parents, message, trailers = [], identity, at, sign }: NewCommit,
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
  const args = ['commit-tree', ...onto, '-F', '-', ...(sign === undefined ? [] : ['-S']), '--end-of-options', tree];
  if (sign === undefined) return gitText(shared(repository), args, { input, variables });
  const call = { input, variables, allowed: keyVariables, seconds: sign.seconds, answers: [0, 1, 128, -1] };
  const said = await git(shared(repository), args, call);
  if (said.code !== 0) throw notSigned(complaint(said));
  return said.stdout.toString('utf8').trim();
}

function notSigned(why: string): Error {
  return divisiError('GIT_FAILED', {
    message: `a commit cannot be signed (workspace.sign): ${why}`,
    next: 'Unlock the key for this session (ssh-add, or a gpg-agent that knows it), or remove `sign` from the config.',
    retryable: true,
  });
}

/** The trailers are the last paragraph: whatever the message contains, only they are read as trailers. */
export function withTrailers(message: string, trailers: NonNullable<NewCommit['trailers']>): string {
  const text = message.replaceAll('\0', ' ').toWellFormed().trim();
  if (trailers.length === 0) return text;
  return `${text}\n\n${trailers.map(([key, value]) => `${key}: ${flatten(value)}`).join('\n')}`;
}
