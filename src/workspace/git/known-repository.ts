/**
 * Finds the repository of a project in which a run has begun, from its files: git was asked, and its version checked, when the run
 * began. Asks git again about anything but a plain `.git` folder of this user at the top of the project.
 */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../places.ts';
import { findRepository, type Repository, roomsOf } from './repository.ts';

export async function knownRepository(project: string, environment: NodeJS.ProcessEnv): Promise<Repository> {
  const directory = realpathSync(project);
  if (!isPlain(directory)) return findRepository(project, environment);
  const state = stateFolder(directory, environment);
  const rooms = await roomsOf(directory, state, environment);
  const gitDir = join(directory, '.git');
  return { kind: 'git', gitDir, top: directory, prefix: '', project: directory, rooms, state, environment };
}

/** Settings that move the files or the git directory, or that are in another file. */
function isUnusual(line: string): boolean {
  const text = line.replaceAll(/\s+/g, '').toLowerCase();
  return (
    text.startsWith('worktree') || text.startsWith('[include') || (text.startsWith('bare') && text !== 'bare=false')
  );
}

function isPlain(directory: string): boolean {
  try {
    const gitDir = join(directory, '.git');
    const isOwn = [directory, gitDir].every((folder) => lstatSync(folder).uid === process.getuid?.());
    const isWhole = ['', 'objects', 'refs'].every((name) => lstatSync(join(gitDir, name)).isDirectory());
    const hasHead = lstatSync(join(gitDir, 'HEAD')).isFile();
    return isOwn && isWhole && hasHead && !readFileSync(join(gitDir, 'config'), 'utf8').split('\n').some(isUnusual);
  } catch {
    return false;
  }
}
