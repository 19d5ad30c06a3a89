/** Finds a program on the PATH, without a shell and without starting anything. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The absolute path; undefined if not found. Skips relative folders of the PATH: a program in the current folder is not an
 * installed one. A name with a folder is resolved from `directory`.
 */
export async function findProgram(
  name: string,
  own: NodeJS.ProcessEnv,
  directory: string,
): Promise<string | undefined> {
  if (name === '') return undefined;
  const endings = process.platform === 'win32' ? ['', ...(own['PATHEXT'] ?? '.EXE;.CMD').split(';')] : [''];
  const folders = (own['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const candidates = isPath(name)
    ? [isAbsolute(name) ? name : join(directory, name)]
    : folders.map((at) => join(at, name));
  for (const candidate of candidates) {
    for (const ending of endings) if (await isProgram(candidate + ending)) return candidate + ending;
  }
  return undefined;
}

const isPath = (name: string): boolean => name.includes('/') || (process.platform === 'win32' && name.includes('\\'));

async function isProgram(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false;
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
