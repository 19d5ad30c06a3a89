/** A real repository with a plan and a scripted agent, and helpers that inspect the result from outside. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Verification } from '../../src/core/event/verification.ts';
import { actingAgent, type ActsByTask } from './acting-agent.ts';
import { ledgerOf } from './project.ts';
import { roomsOf } from './rooms.ts';
import type { Files } from './temporary-folder.ts';
import { divisi } from './divisi.ts';
import { stateFolder } from '../../src/workspace/places.ts';

export interface GitTask {
  readonly id: string;
  readonly title?: string;
  readonly after?: string;
  readonly scope?: string;
  readonly accept?: string;
  readonly agent?: string;
}

export interface GitSample {
  /** Ids alone, or with what else the plan says. */
  readonly waves?: readonly (readonly (string | GitTask)[])[];
  /** Lines of the plan's settings, beside the commands. */
  readonly settings?: readonly string[];
  readonly acts?: ActsByTask;
  /** Committed before the run. */
  readonly files?: Files;
  /** `.divisi/config.yaml`, committed too. */
  readonly config?: string;
  /** Where the project is in the repository. */
  readonly prefix?: string;
}

const usualFiles: Files = { 'README.md': 'A project.\n', 'src/a.txt': 'one\ntwo\nthree\nfour\nfive\n' };

/** Makes the repository in `folder/project`, and the agent beside it; answers the project. */
export function gitProject(folder: string, sample: GitSample = {}): string {
  const { files = {}, config = 'grace: 1\n', acts = {}, prefix = '' } = sample;
  const top = join(folder, 'project');
  const project = join(top, prefix);
  put(join(folder, 'agent'), { 'agent.mjs': actingAgent, 'review.sh': reviewer });
  tell(project, acts, prefix);
  mkdirSync(project, { recursive: true });
  put(project, {
    ...usualFiles,
    ...files,
    '.divisi/config.yaml': config,
    'plan.md': gitPlan(join(folder, 'agent'), sample),
  });
  makeRepository(top);
  return project;
}

/** With everything that is there in its first commit. */
export function makeRepository(top: string): void {
  git(top, 'init', '--quiet', '--initial-branch=main');
  git(top, 'config', 'user.name', 'A Person');
  git(top, 'config', 'user.email', 'person@example.org');
  commitAll(top, 'First');
}

/** The usual review without the start of another Node; one that is told something is the agent's business. */
const reviewer = `
case $(cat "$(dirname "$0")/acts.json") in *"\\"$DIVISI_TASK\\""*) exec "$1" "$(dirname "$0")/agent.mjs";; esac
echo "$DIVISI_TASK $DIVISI_ATTEMPT" >> "$(dirname "$0")/starts.log"
echo '# Review' > "$DIVISI_REPORT_PATH"
echo "LOW|nothing-to-do|$DIVISI_REPORT_PATH"
`;

function gitPlan(agent: string, { waves = [['1.1']], settings = [] }: GitSample): string {
  const lines = [
    `Command: "${process.execPath}" "${agent}/agent.mjs"`,
    `Review: sh "${agent}/review.sh" "${process.execPath}"`,
    ...settings,
  ];
  const tables = waves.map((tasks, at) => {
    const rows = tasks.map((task) => {
      const one: GitTask = typeof task === 'string' ? { id: task } : task;
      const { id, title = `Do ${id}`, after = '-', scope = '', accept = '', agent: role = '' } = one;
      return `| ${id} | ${title} | [ ] | ${after} | ${scope} | ${accept} | ${role} |`;
    });
    const head = ['| ID | Task | Status | Deps | Scope | Accept | Agent |', '|---|---|---|---|---|---|---|'];
    return [`## Wave ${at + 1}: Part ${at + 1}`, '', ...head, ...rows, ''].join('\n');
  });
  return ['# Plan: Sample', '', '## Settings', '', ...lines.map((line) => `- ${line}`), '', ...tables].join('\n');
}

export function put(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** With nothing of the person who runs the tests. */
export function git(cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: dirname(cwd),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
  };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trimEnd();
}

export function commitAll(cwd: string, message: string): void {
  git(cwd, 'add', '--all');
  git(cwd, '-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false', 'commit', '--quiet', '--message', message);
}

function agentOf(project: string, prefix = ''): string {
  return join(
    project,
    ...(prefix === ''
      ? []
      : prefix
          .split('/')
          .filter(Boolean)
          .map(() => '..')),
    '../agent',
  );
}

/** What the agent does from now on. */
export function tell(project: string, acts: ActsByTask, prefix = ''): void {
  put(agentOf(project, prefix), { 'acts.json': JSON.stringify(acts) });
}

/** `1.1 1`: which attempts were made at what, in order. */
export function startsIn(project: string, prefix = ''): string[] {
  const file = join(agentOf(project, prefix), 'starts.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
}

/** The files that an attempt found when it began. */
export function seenBy(project: string, task: string, attempt = 1, prefix = ''): string[] {
  return JSON.parse(readFileSync(join(agentOf(project, prefix), `seen/${task}-${attempt}.json`), 'utf8')) as string[];
}

/** The prompt of an attempt. */
export function promptIn(project: string, task: string, attempt = 1): string {
  return readFileSync(join(agentOf(project, ''), `seen/${task}-${attempt}.prompt`), 'utf8');
}

/** The plan, what a crash leaves of its writing, and what Divisi keeps. */
const isDivisis = /plan\.md(?:\.[0-9a-f-]{12,80}\.tmp)?"?$|\.divisi\//;

/** Everything that belongs to the user: what Divisi keeps in `.divisi`, and the marks of the plan, are not of it. */
export function checkoutOf(project: string): Record<string, unknown> {
  const top = git(project, 'rev-parse', '--show-toplevel');
  const refs = git(top, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n');
  const gitFile = (name: string): string => {
    const file = join(top, '.git', name);
    return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'none';
  };
  return {
    head: readFileSync(join(top, '.git/HEAD'), 'utf8'),
    refs: refs.filter((ref) => !/^refs\/(?:heads\/divisi(?:-task)?|divisi)\//.test(ref)),
    files: filesIn(top, ''),
    ...Object.fromEntries(['index', 'config', 'info/exclude', 'logs/refs/stash'].map((name) => [name, gitFile(name)])),
    hooks: filesIn(join(top, '.git/hooks'), ''),
    // Last: looking may bring the index up to date.
    status: git(top, '--no-optional-locks', 'status', '--porcelain', '--untracked-files=all')
      .split('\n')
      .filter((line) => line !== '' && !isDivisis.test(line)),
  };
}

function filesIn(root: string, below: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name } of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = join(below, name);
    if (path === '.git' || isDivisis.test(name) || (name !== 'config.yaml' && below.endsWith('.divisi'))) continue;
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) Object.assign(found, filesIn(root, path));
    else if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(root, path))}`;
    else
      found[path] = `${stat.mode.toString(8)} ${createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex')}`;
  }
  return found;
}

/** What was learned about each attempt at a task. */
export function verificationsOf(project: string, task: string): Verification[] {
  return ledgerOf(project).events.flatMap((event) =>
    event.kind === 'task.verified' && event.task === task ? [event.verification] : [],
  );
}

/** `rejected outside-scope`, `verified`: one for each attempt, with all that was found. */
export function verdictsOf(project: string, task: string): string[] {
  return verificationsOf(project, task).map(({ verdict, findings }) =>
    [verdict, ...findings.map(({ kind }) => kind)].join(' '),
  );
}

export function runBranchOf(project: string): string {
  return `divisi/${ledgerOf(project).report.run}`;
}

/** What the run's branch has changed since the main one: `A path`. */
export function changedOn(project: string): string[] {
  const diff = git(project, 'diff', '--no-renames', '--name-status', `main..${runBranchOf(project)}`);
  return diff === '' ? [] : diff.replaceAll('\t', ' ').split('\n');
}

/** The text of a file on the run's branch; undefined where there is none. A folder that is not a repository has a private one. */
export function merged(project: string, path: string): string | undefined {
  const store = join(stateFolder(project), 'store.git');
  try {
    return git(existsSync(store) ? store : project, 'show', `${runBranchOf(project)}:${path}`);
  } catch {
    return undefined;
  }
}

export interface RunCommit {
  readonly subject: string;
  readonly task: string;
  readonly delegation: string;
  readonly run: string;
  readonly parents: number;
}

/** The commits of the run, oldest first. */
export function commitsOf(project: string): RunCommit[] {
  const value = (key: string): string => `%(trailers:key=${key},valueonly,separator=%x2C)`;
  const format = ['%s', value('Divisi-Task'), value('Divisi-Delegation'), value('Divisi-Run'), '%P'].join('%x09');
  const base = ledgerOf(project).events.flatMap((event) =>
    event.kind === 'run.created' && event.workspace !== undefined ? [event.workspace.base] : [],
  )[0];
  const said = git(project, 'log', '--reverse', `--format=${format}`, `${base ?? ''}..${runBranchOf(project)}`);
  if (said === '') return [];
  return said.split('\n').map((line) => {
    const [subject = '', task = '', delegation = '', run = '', parents = ''] = line.split('\t');
    return { subject, task, delegation, run, parents: parents.split(' ').length };
  });
}

/** `1.1`: tasks of the newest run whose rooms are still there. */
export function roomsLeft(project: string): string[] {
  return roomsOf(project, ledgerOf(project).report.run);
}

/** Runs the command, which must end like this; answers what it said. */
export async function divisiTo(code: number, project: string, ...args: string[]): Promise<string> {
  const ran = await divisi(args, { cwd: project });
  if (ran.code !== code) throw new Error(`ended with ${ran.code}:\n${ran.stdout}${ran.stderr}`);
  return ran.stdout + ran.stderr;
}
