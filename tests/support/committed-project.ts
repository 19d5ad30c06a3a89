/** A project that is a git repository, with everything in it committed; its folder is the home folder of the command, too. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles, type SampleProject } from './project.ts';
import type { Files } from './temporary-folder.ts';
import { untrusting } from './divisi.ts';

/** What git says in the folder, without the line end. */
export function gitIn(cwd: string, ...args: readonly string[]): string {
  const said = execFileSync('git', args, { cwd, env: untrusting(cwd), encoding: 'utf8', stdio: 'pipe' });
  return said.replace(/\n$/, '');
}

/** What workers and the command leave in the folder is ignored: what is not in git is a test's own doing. */
const files: Files = {
  '.gitconfig': '[user]\n\tname = Ada Example\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n',
  '.gitignore': '.gitconfig\n*.log\ngo-on\n',
};

export function gitProject(folder: (files?: Files) => string, project: SampleProject = {}): string {
  const cwd = folder(projectFiles({ ...project, files: { ...files, ...project.files } }));
  gitIn(cwd, 'init', '--quiet');
  gitIn(cwd, 'add', '-A');
  gitIn(cwd, 'commit', '--quiet', '-m', 'First');
  return cwd;
}

/** A commit of the user's own. */
export function userCommits(cwd: string, changed: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(changed)) writeFileSync(join(cwd, path), text);
  gitIn(cwd, 'add', '--', ...Object.keys(changed));
  gitIn(cwd, 'commit', '--quiet', '-m', 'A commit of the user');
}
