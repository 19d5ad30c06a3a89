/** Repositories to measure on, and git as a person would run it. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Without the settings of the user or the system. */
export function gitEnvironment(home: string): NodeJS.ProcessEnv {
  mkdirSync(home, { recursive: true });
  const settings =
    '[user]\n\tname = Bench\n\temail = bench@localhost\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n';
  writeFileSync(join(home, '.gitconfig'), settings);
  const { PATH, DIVISI_STATE } = process.env;
  return { PATH, HOME: home, DIVISI_STATE };
}

export async function bareGit(folder: string, environment: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: folder, env: environment, maxBuffer: 1 << 28 });
  return stdout.trim();
}

export const fileName = (at: number): string => `src/part-${Math.floor(at / 100)}/file-${at}.txt`;

/** So many files of about a kilobyte, a hundred in each folder, in one commit. */
export async function makeRepository(folder: string, environment: NodeJS.ProcessEnv, files: number): Promise<void> {
  for (let at = 0; at < files; at += 1) {
    const file = join(folder, fileName(at));
    if (at % 100 === 0) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      Array.from({ length: 24 }, (_, line) => `${at} line ${line} of a file that nobody reads\n`).join(''),
    );
  }
  writeFileSync(join(folder, '.gitignore'), '.divisi/\n');
  await bareGit(folder, environment, 'init', '--quiet');
  await bareGit(folder, environment, 'add', '-A');
  await bareGit(folder, environment, 'commit', '--quiet', '-m', 'Everything');
}

/** Bytes on the disk. */
export async function diskUse(...paths: string[]): Promise<number> {
  const { stdout } = await run('du', ['-s', '-c', '--block-size=1', ...paths]);
  return Number(stdout.trim().split('\n').at(-1)?.split('\t')[0]);
}
