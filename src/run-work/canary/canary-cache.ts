/**
 * Keeps what the canary found out in the project's state folder: later runs from the same base with the same set-up need not find
 * it out again. Only a convenience: an entry that cannot be read or written is not there.
 */
import { lstatSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseCheck } from '../../core/event/base-check.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { writePrivately } from '../../workspace/atomic-file.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { hashText } from '../../workspace/hash-text.ts';

type Place = Pick<Repository, 'state' | 'project'>;

/** Entries of a project; the oldest go first. */
const mostEntries = 500;
/** Raised when the meaning of an entry changes. */
const format = 2;

export interface CanaryCache {
  find(argv: readonly string[]): Promise<BaseCheck | undefined>;
  keep(check: BaseCheck): Promise<void>;
}

export function canaryCache(repository: Place, facts: WorkspaceFacts): CanaryCache {
  const folder = join(repository.state, 'canary');
  const fileOf = (argv: readonly string[]): string => join(folder, `${keyOf(repository, facts, argv)}.json`);
  return {
    async find(argv) {
      try {
        const found = JSON.parse(await readFile(fileOf(argv), 'utf8')) as BaseCheck;
        return isReusable(found) ? found : undefined;
      } catch {
        return undefined;
      }
    },
    async keep({ isCached: _isCached, ...check }) {
      try {
        const file = fileOf(check.argv);
        if (!isReusable(check)) {
          await rm(file, { force: true });
          return;
        }
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writePrivately(file, JSON.stringify(check));
        await dropOldest(folder);
      } catch {
        // The next run finds it out again.
      }
    },
  };
}

/**
 * A person may install what is missing at any time, and a red command of the config is asked about: both are looked at again.
 * For a task it makes no difference how its red command fails.
 */
function isReusable({ result, from, isFlaky }: BaseCheck): boolean {
  return isFlaky !== true && (result === 'green' || (result === 'red' && from === 'plan'));
}

/** Base, command and set-up; of linked and copied paths, when they last changed. */
function keyOf({ project }: Place, facts: WorkspaceFacts, argv: readonly string[]): string {
  const { base, prefix, setup, link, copy, environment, timeout } = facts;
  const given = [...link, ...copy].map((path) => [path, changedAt(join(project, path))]);
  const machine = [process.platform, process.arch];
  return hashText(JSON.stringify([format, base, prefix, argv, setup, given, environment, timeout, machine]));
}

function changedAt(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function dropOldest(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= mostEntries) return;
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const old = aged.toSorted((one, other) => one.at - other.at).slice(0, names.length - mostEntries);
  for (const { name } of old) await rm(join(folder, name), { force: true });
}
