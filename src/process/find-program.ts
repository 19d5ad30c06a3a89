/** Where a program is: looked up on the PATH by ourselves, without a shell and without starting anything. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Absolute; undefined where there is none. A folder of the PATH that is relative is left out: what lies where one happens to
 * be is not what was installed. A name with a folder in front is looked up as it is, from `directory`.
 */
export async function findProgram(
  name: string,
  own: NodeJS.ProcessEnv,
  directory: string,
): Promise<string | undefined> {
  if (name === '') return undefined;
  const endings = process.platform === 'win32' ? ['', ...(own['PATHEXT'] ?? '.EXE;.CMD').split(';')] : [''];
  const folders = (own['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const places = isPath(name) ? [isAbsolute(name) ? name : join(directory, name)] : folders.map((at) => join(at, name));
  for (const place of places) {
    for (const ending of endings) if (await isProgram(place + ending)) return place + ending;
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
