/**
 * Runs git; the only place that starts it. Never through a shell or with a terminal, with an allow-listed environment, and
 * with settings that keep the user's hooks, signing and maintenance out of Divisi's own calls.
 *
 * The user's other settings apply (line endings, ignore rules): a room must look like their checkout.
 */
import { defined } from '../../base/defined.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine } from '../../base/text.ts';
import { redact } from '../../base/redact.ts';
import { systemCode, divisiError } from '../../base/error.ts';
import { childEnvironment } from '../../process/environment.ts';

/** Where git runs: on the repository in `gitDir`, or on the one around `directory` if that is absent. */
export interface GitPlace {
  /** This process's environment; little of it is passed on. */
  readonly environment: NodeJS.ProcessEnv;
  readonly gitDir?: string;
  readonly workTree?: string;
  /** Replaces the index file. */
  readonly index?: string;
  readonly directory: string;
  readonly signal?: AbortSignal | undefined;
}

export interface GitCall {
  readonly input?: string | Buffer;
  /** Additional variables, such as the identity of a commit. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Exit codes that are answers; any other is an error. Only 0 when absent. */
  readonly answers?: readonly number[];
  /** The most bytes of output that are kept. */
  readonly most?: number;
  /** Variables of this process that are passed on besides the usual ones. */
  readonly allowed?: readonly string[];
  /** Ends git and what it started when it has not answered by then; `longestCall` when absent. */
  readonly seconds?: number;
  /** Whether more output is an error or truncates the answer. */
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
  // Files are inspected as they are, whatever the repository is configured to assume.
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
  // Large files stay pointers, whether or not git-lfs is installed.
  'filter.lfs.clean=',
  'filter.lfs.smudge=',
  'filter.lfs.process=',
  'filter.lfs.required=false',
  // The same two sides merge the same way on every machine. Files another task adds stay where it put them.
  'merge.renames=true',
  'merge.renormalize=false',
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

/** Seconds for one call: an agent can leave a tree on which git would work for days. */
export const longestCall = 1800;

export const mostOutput = 256 * 1024 * 1024;
export const mostComplaint = 16 * 1024;

/** Commands that only look, as we call them: they may be repeated. */
const looks = new Set(
  `cat-file check-ignore config diff diff-index diff-tree for-each-ref log ls-files ls-tree merge-base merge-tree rev-list rev-parse
  show-ref status symbolic-ref version worktree write-tree`.split(/\s+/),
);

/** Milliseconds before a look that failed is tried again: another program may have been changing the repository. */
const patience = [100, 500, 2000];

/** Returns git's output, or throws `GIT_MISSING`, `GIT_FAILED` or the reason of an aborted signal. */
export async function git(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<GitSaid> {
  const environment = gitEnvironment(place, call);
  const run = (): Promise<GitSaid> =>
    runGit(place, [...ownSettings, ...args], environment, { seconds: longestCall, ...call });
  const isLook = looks.has(args.find((word) => !word.startsWith('-')) ?? '');
  return accepted(await (isLook ? patiently(run, call, place.signal) : run()), args, call);
}

/** Repeats a look that failed; the last result may be a failure too. */
export async function patiently(
  look: () => Promise<GitSaid>,
  call: GitCall = {},
  signal?: AbortSignal,
): Promise<GitSaid> {
  for (const wait of patience) {
    const said = await look();
    if (isAnswer(said, call)) return said;
    await sleep(wait, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
  return look();
}

/** Starts git on a repository; the caller talks to it. */
export function startGit(place: GitPlace, args: readonly string[]): ChildProcess {
  return spawnGit(place, [...ownSettings, ...args], gitEnvironment(place));
}

function gitEnvironment(
  place: GitPlace,
  { variables, allowed = [] }: Pick<GitCall, 'variables' | 'allowed'> = {},
): Record<string, string> {
  return childEnvironment(place.environment, ['XDG_CONFIG_HOME', ...allowed], {
    ...ownVariables,
    ...defined({ GIT_INDEX_FILE: place.index }),
    ...variables,
  });
}

/** The output as text, without the trailing newline. */
export async function gitText(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<string> {
  return (await git(place, args, call)).stdout.toString('utf8').replace(/\n$/, '');
}

/** The fields of NUL-terminated output. */
export function fieldsOf(stdout: Buffer): string[] {
  const fields = stdout.toString('utf8').split('\0');
  if (fields.at(-1) === '') fields.pop();
  return fields;
}

/** Runs git as the user would, with their hooks, signing and identity: only for what a person asked for. */
export async function gitAsUser(place: GitPlace, args: readonly string[], call: GitCall = {}): Promise<GitSaid> {
  const own = Object.entries(place.environment).filter(([name, value]) => value !== undefined && !isOfOne(name));
  const environment = { ...Object.fromEntries(own), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' } as Record<string, string>;
  return accepted(await runGit(place, args, environment, call), args, call);
}

/** Variables that point git at another repository. */
const isOfOne = (name: string): boolean =>
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|CONFIG.*)$/.test(
    name,
  );

function isAnswer({ code, cut }: GitSaid, { answers = [0], beyond }: GitCall): boolean {
  return cut ? beyond === 'cut' : answers.includes(code);
}

function accepted(said: GitSaid, args: readonly string[], call: GitCall): GitSaid {
  if (isAnswer(said, call)) return said;
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

/** Git's complaint as one line for people. */
export function complaint({ stderr, code }: Pick<GitSaid, 'stderr' | 'code'>): string {
  const line = oneLine(redact(stderr).text.replace(/^(?:hint|warning):.*$/gm, ''), 400);
  return line === '' ? `it ended with ${code}` : line;
}

function spawnGit(
  { gitDir, workTree, directory }: GitPlace,
  args: readonly string[],
  environment: Record<string, string>,
): ChildProcess {
  const where = [
    ...(gitDir === undefined ? [] : [`--git-dir=${gitDir}`]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ];
  // In its own process group: an interrupt at the terminal is ours to handle, not git's.
  return spawn('git', [...where, ...args], {
    cwd: directory,
    env: environment,
    detached: true,
    shell: false,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

async function runGit(
  place: GitPlace,
  args: readonly string[],
  environment: Record<string, string>,
  { input, most = mostOutput, seconds }: GitCall,
): Promise<GitSaid> {
  const { signal } = place;
  signal?.throwIfAborted();
  const child = spawnGit(place, args, environment);
  const stop = (): void => void child.kill('SIGTERM');
  signal?.addEventListener('abort', stop, { once: true });
  let isLate = false;
  const timer =
    seconds &&
    setTimeout(() => {
      isLate = true;
      endGroup(child);
    }, seconds * 1000);
  try {
    const said = await listen(child, input, most);
    signal?.throwIfAborted();
    return isLate ? { ...said, code: -1, stderr: `no answer within ${seconds} s` } : said;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Ends git with the programs it waits for, and does not wait for one that has left the group but kept the pipes. */
function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
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
  // Git may exit before it has read all of its input; its exit code says why.
  child.stdin?.on('error', () => {}).end(input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error)));
    child.once('close', (code) => resolve({ code: code ?? -1, stdout: Buffer.concat(kept), stderr, cut }));
  });
}

export function notStarted(error: Error): Error {
  const isMissing = systemCode(error) === 'ENOENT';
  return divisiError('GIT_MISSING', {
    message: isMissing ? 'git was not found' : `git could not be started: ${error.message}`,
    expected: 'git 2.38 or newer on the PATH',
    next: 'Install git, or put it on the PATH.',
    cause: error,
  });
}
