/** Commits that are in no repository: an id in git's form for each name. */
import { createHash } from 'node:crypto';

export function commitId(name: string): string {
  return createHash('sha1').update(name).digest('hex');
}
