/** A project of a user with secrets and no rights for the tests, whose agent is a shell script, and what the script saw. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, makeRepository, put } from '../support/git-project.ts';
import { divisi, type Run } from '../support/divisi.ts';
import type { Files } from '../support/temporary-folder.ts';

export interface ConfinedSample {
  /** The agent of each task: `sh`, in the room; the task's id is its first argument. */
  readonly agent: string;
  readonly mode: 'files' | 'off';
  readonly tasks?: readonly string[];
  readonly accept?: string;
  /** More of the project's config. */
  readonly config?: string;
  /** In the home. */
  readonly secrets?: Files;
  /** In the project. */
  readonly files?: Files;
}

export interface ConfinedProject {
  readonly home: string;
  readonly project: string;
  readonly variables: Readonly<Record<string, string>>;
}

export function confinedProject(folder: string, sample: ConfinedSample): ConfinedProject {
  const { agent, mode, tasks = ['1.1'], accept = '', config = '', secrets = {}, files = {} } = sample;
  const home = join(realpathSync(folder), 'home');
  const project = join(home, 'project');
  put(home, secrets);
  mkdirSync(join(home, '.config/divisi'), { recursive: true });
  if (mode === 'off') writeFileSync(join(home, '.config/divisi/config.yaml'), 'confine: { mode: off }\n');
  const rows = tasks.map((id) => `| ${id} | Do ${id} | [ ] | - | ${accept} |`);
  put(project, {
    'agent.sh': agent,
    '.divisi/config.yaml': `grace: 1\ndrivers: { agent: { kind: command, argv: [sh, agent.sh], returns: exit-code } }\ndriver: agent\n${config}`,
    'plan.md': [
      '# Plan: Hostile\n\n## Settings\n\n- Reviews: off\n\n## Wave 1: Attack\n',
      '| ID | Task | Status | Deps | Accept |\n|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n'),
    ...files,
  });
  makeRepository(project);
  const { PATH = '' } = process.env;
  const state = join(home, '.local/state/divisi');
  const variables = {
    PATH,
    HOME: home,
    DIVISI_STATE: state,
    DIVISI_ROOMS: join(home, 'divisi-rooms'),
    XDG_CONFIG_HOME: join(home, '.config'),
  };
  return { home, project, variables };
}

export async function runConfined(
  { project, variables }: ConfinedProject,
  more: Record<string, string> = {},
): Promise<Run> {
  return divisi(['run', 'plan.md', '--mode', 'auto'], { cwd: project, variables: { ...variables, ...more } });
}

/** What the agents wrote to this file of their rooms: the work of all runs, merged. */
export function workOf(project: string, file: string): string {
  const [branch = ''] = git(project, 'for-each-ref', '--format=%(refname)', 'refs/heads/divisi/').split('\n');
  return git(project, 'show', `${branch}:${file}`);
}

/** Processes whose command line has this word. */
export function processesWith(word: string): string[] {
  try {
    return execFileSync('pgrep', ['-f', word], { encoding: 'utf8' }).trim().split('\n');
  } catch {
    return [];
  }
}

export const isThere = (path: string): boolean => existsSync(path);
