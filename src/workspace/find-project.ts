/** Finds the project: the nearest folder from here upwards that has a `.divisi`, or this one. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from './project-path.ts';

export async function findProject(from: string): Promise<string> {
  for (let at = from; ; at = dirname(at)) {
    try {
      if ((await stat(join(at, '.divisi'))).isDirectory()) return at;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    if (dirname(at) === at) return from;
  }
}
