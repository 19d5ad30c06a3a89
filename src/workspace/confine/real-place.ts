/** The real path of a file or folder; undefined where there is none that this user can reach. */
import { realpathSync } from 'node:fs';

export function realPlace(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
