/**
 * Refuses work that is too large, before git reads it: an agent needs one call to leave a file of terabytes that take no space. Sizes
 * are those that programs see, holes included.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../../base/error.ts';
import type { WorkspaceFacts } from '../../../core/event/verification.ts';
import { projectPath } from '../changes.ts';
import { fieldsOf, type GitPlace, git } from '../git.ts';
import type { Repository } from '../repository.ts';

export type SizeLimits = NonNullable<WorkspaceFacts['size']>;

const mebibyte = 1024 * 1024;
const usual = { file: 100 * mebibyte, change: 1024 * mebibyte };

/** Why the files may not be added; undefined where they may. `paths` are git's patterns. */
export async function tooLarge(
  repository: Repository,
  place: GitPlace & { readonly workTree: string },
  paths: readonly string[],
  given: SizeLimits = {},
): Promise<string | undefined> {
  const { file = usual.file, change = usual.change } = given;
  if (file === 0 && change === 0) return undefined;
  const look = ['ls-files', '-z', '--others', '--modified', '--exclude-standard', '--', ...paths];
  // What cannot be looked at is refused by `git add`, in its words.
  const { stdout } = await git(place, look, { answers: [0, 1, 128] });
  let sum = 0;
  for (const path of new Set(fieldsOf(stdout))) {
    const size = await sizeOf(join(place.workTree, path));
    sum += size;
    if (file > 0 && size > file)
      return `${projectPath(repository, path)} has ${inMebibytes(size)}, more than ${inMebibytes(file)} (workspace.size.file)`;
  }
  if (change === 0 || sum <= change) return undefined;
  return `the changed files have ${inMebibytes(sum)}, more than ${inMebibytes(change)} (workspace.size.change)`;
}

async function sizeOf(path: string): Promise<number> {
  try {
    const facts = await lstat(path);
    return facts.isFile() ? facts.size : 0;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return 0;
  }
}

const inMebibytes = (size: number): string => `${Math.round(size / mebibyte)} MiB`;
