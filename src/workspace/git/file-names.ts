/** Lists a folder; a missing one is empty. */
import { readdir } from 'node:fs/promises';
import { isMissing } from '../project-path.ts';

export async function fileNamesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
