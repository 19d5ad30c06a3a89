/** Sets up a conversation of the bench: a small repository with a plan, and the packaged command `divisi`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '../../tests/support/repository.ts';
import { gitEnvironment } from '../workspace-repository.ts';
import { fileOf } from './worker.ts';

export interface Size {
  /** How many tasks each wave has. */
  readonly waves: readonly number[];
  /** How long the return of each agent is. */
  readonly characters: number;
}

export interface Ground {
  readonly root: string;
  readonly project: string;
  /** Of `divisi`. */
  readonly bin: string;
  readonly clear: () => void;
}

export const tasksOf = ({ waves }: Size): readonly string[] =>
  waves.flatMap((tasks, wave) => Array.from({ length: tasks }, (_, at) => `${wave + 1}.${at + 1}`));

export const plugin: string = join(repository, 'plugin');

function planOf(size: Size): string {
  const waves = size.waves.map((_, wave) => {
    const tasks = tasksOf(size).filter((task) => task.startsWith(`${wave + 1}.`));
    const rows = tasks.map((task) => `| ${task} | Write part ${task} | [ ] | - | ${fileOf(task)} | it is there |`);
    const head = ['| ID | Task | Status | Deps | Scope | Accept |', '|---|---|---|---|---|---|'];
    return [`## Wave ${wave + 1}: parts`, '', ...head, ...rows, ''].join('\n');
  });
  return ['# Parts', '', ...waves].join('\n');
}

function configOf({ characters }: Size): string {
  const argv = [process.execPath, join(import.meta.dirname, 'worker-command.ts'), String(characters)];
  return `driver: worker\ndrivers:\n  worker: { kind: command, argv: ${JSON.stringify(argv)} }\n`;
}

export function groundFor(command: string, size: Size): Ground {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'divisi-')));
  const [project, bin] = [join(root, 'project'), join(root, 'bin')];
  const files = {
    'plan.md': planOf(size),
    'src/README.md': 'Parts.\n',
    '.gitignore': '.divisi/\n',
    '.divisi/config.yaml': configOf(size),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  mkdirSync(bin);
  symlinkSync(command, join(bin, 'divisi'));
  const options = { cwd: project, env: gitEnvironment(join(root, 'git')) };
  for (const words of ['init -q .', 'add .', 'commit -q -m parts']) execFileSync('git', words.split(' '), options);
  return { root, project, bin, clear: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }) };
}
