/**
 * Running git: the one place where it is started. Never through a shell, never with a terminal, with an environment of
 * our choosing, and with settings that keep the user's hooks, signing and housekeeping out of what Divisi does by itself.
 *
 * The user's other settings stay in force (line endings, what is ignored): a worktree must look like their checkout.
 */
import { defined } from '../../base/defined.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { oneLine } from '../../base/text.ts';
import { redact } from '../../base/redact.ts';
import { systemCode, divisiError } from '../../base/error.ts';
import { childEnvironment } from '../../process/environment.ts';

/** Where git works: on the repository whose files lie in `gitDir`, or, where that is absent, on the one around `directory`. */
export interface GitPlace {
  /** Of this process; little of it is passed on. */
  readonly environment: NodeJS.ProcessEnv;
  readonly gitDir?: string;
  readonly workTree?: string;
  /** A file to be used in place of the index. */
  readonly index?: string;
  readonly directory: string;
  readonly signal?: AbortSignal | undefined;
}

export interface GitCall {
  readonly input?: string | Buffer;
  /** Variables on top, such as the identity of a commit. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Exit codes that are answers; any other is an error. Only 0 when absent. */
  readonly answers?: readonly number[];
  /** Bytes of output that are kept. */
  readonly most?: number;
  /** What more output means: an error, or an answer that is cut off. */
  readonly beyond?: 'refuse' | 'cut';
}

export interface GitSaid {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly cut: boolean;
}

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  // What the files are is found out by looking at them, whatever the repository is set to.
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
  'core.sparseCheckout=false',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'core.safecrlf=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'log.showSignature=false',
  'i18n.commitEncoding=UTF-8',
  'i18n.logOutputEncoding=UTF-8',
  'trailer.separators=:',
  'advice.detachedHead=false',
  'advice.addEmbeddedRepo=false',
  'submodule.recurse=false',
  // A worktree is known by the absolute path of its files.
  'worktree.useRelativePaths=false',
  // The same two sides give the same merge on every machine. Files that another task adds stay where it put them.
  'merge.renames=true',
  'merge.directoryRenames=false',
  'merge.renameLimit=7000',
  'merge.conflictStyle=merge',
];

const ownSettings = settings.flatMap((setting) => ['-c', setting]);

const ownVariables = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
};

const mostOutput = 256 * 1024 * 1024;
const mostComplaint = 16 * 1024;

/** Answers what git said, or throws: `GIT_MISSING`, `GIT_FAILED`, or the reason of an aborted signal. */
export async function git(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<GitSaid> {
  const environment = childEnvironment(place.environment, ['XDG_CONFIG_HOME'], {
    ...ownVariables,
    ...defined({ GIT_INDEX_FILE: place.index }),
    ...call.variables,
  });
  const said = await runGit(place, [...ownSettings, ...args], environment, call);
  return accepted(said, args, call);
}

/** The answer as text, without the line end. */
export async function gitText(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<string> {
  return (await git(place, args, call)).stdout.toString('utf8').replace(/\n$/, '');
}

/** The fields of an answer that ends each of them with a NUL. */
export function fieldsOf(stdout: Buffer): string[] {
  const fields = stdout.toString('utf8').split('\0');
  if (fields.at(-1) === '') fields.pop();
  return fields;
}

/** Git as the user would run it, with their own hooks, signing and identity: only for what a person asked for. */
export async function gitAsUser(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<GitSaid> {
  const own = Object.entries(place.environment).filter(([name, value]) => value !== undefined && !isOfOne(name));
  const environment = { ...Object.fromEntries(own), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' } as Record<string, string>;
  return accepted(await runGit(place, args, environment, call), args, call);
}

/** Variables that point git at another repository than the one we are in. */
const isOfOne = (name: string): boolean =>
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|CONFIG.*)$/.test(
    name,
  );

function accepted(said: GitSaid, args: readonly string[], { answers = [0], beyond }: GitCall): GitSaid {
  const isCutAnswer = said.cut && beyond === 'cut';
  if (isCutAnswer || (answers.includes(said.code) && !said.cut)) return said;
  throw failedGit(args[0] ?? '', said.cut ? { ...said, stderr: 'it said more than can be kept' } : said);
}

export function failedGit(command: string, said: Pick<GitSaid, 'stderr' | 'code'>): Error {
  return divisiError('GIT_FAILED', {
    message: `git ${command} failed: ${complaint(said)}`,
    next: 'Check the repository (git fsck) and the free disk space, then try again.',
    retryable: true,
    ids: { command, code: said.code },
  });
}

/** What git complained of, for people: one line. */
export function complaint({ stderr, code }: Pick<GitSaid, 'stderr' | 'code'>): string {
  const line = oneLine(redact(stderr).text.replace(/^(?:hint|warning):.*$/gm, ''), 400);
  return line === '' ? `it ended with ${code}` : line;
}

async function runGit(
  { gitDir, workTree, directory, signal }: GitPlace,
  args: readonly string[],
  environment: Record<string, string>,
  { input, most = mostOutput }: GitCall,
): Promise<GitSaid> {
  signal?.throwIfAborted();
  const where = [
    ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ];
  // In a group of its own: an interrupt at the terminal is ours to act on, not git's.
  const child = spawn('git', [...where, ...args], {
    cwd: directory,
    env: environment,
    detached: true,
    shell: false,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stop = (): void => void child.kill('SIGTERM');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const said = await listen(child, input, most);
    signal?.throwIfAborted();
    return said;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function listen(child: ChildProcess, input: string | Buffer | undefined, most: number): Promise<GitSaid> {
  const kept: Buffer[] = [];
  let size = 0;
  let cut = false;
  let stderr = '';
  child.stdout?.on('data', (data: Buffer) => {
    if (cut) return;
    kept.push(size + data.length > most ? data.subarray(0, most - size) : data);
    size += data.length;
    cut = size > most;
    if (cut) child.kill('SIGTERM');
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < mostComplaint) stderr += text;
  });
  // Git may end before it has read everything: its exit code says why.
  child.stdin?.on('error', () => {}).end(input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error)));
    child.once('close', (code) => resolve({ code: code ?? -1, stdout: Buffer.concat(kept), stderr, cut }));
  });
}

function notStarted(error: Error): Error {
  const isMissing = systemCode(error) === 'ENOENT';
  return divisiError('GIT_MISSING', {
    message: isMissing ? 'git was not found' : `git could not be started: ${error.message}`,
    expected: 'git 2.38 or newer on the PATH',
    next: 'Install git, or put it on the PATH.',
    cause: error,
  });
}
