/**
 * Refuses dependency folders that lead from a room back into the user's checkout: an editable Python install, or packages of a workspace
 * behind a linked `node_modules`. A check in the room would load the code of the checkout and pass whatever the agent did.
 */
import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { divisiError } from '../../base/error.ts';
import { leadsOut } from '../../base/paths.ts';
import { oneLine } from '../../base/text.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { isMissing } from '../project-path.ts';
import type { Repository } from './repository.ts';

export async function refuseLeadingBack(
  { project, top }: Pick<Repository, 'project' | 'top'>,
  { link, copy }: Pick<WorkspaceFacts, 'link' | 'copy'>,
): Promise<void> {
  for (const [key, paths] of Object.entries({ link, copy })) {
    for (const path of paths) {
      const folder = join(project, path);
      // A copied link that is relative leads to the files of the room.
      const found = (await editableInstall(top, folder)) ?? (key === 'link' ? await linkBack(top, folder) : undefined);
      if (found !== undefined) throw leadingBack(key, path, relative(project, found));
    }
  }
}

/** A file of an editable install that names a folder of the checkout. */
async function editableInstall(top: string, folder: string): Promise<string | undefined> {
  for (const version of await entries(join(folder, 'lib'))) {
    if (!version.name.startsWith('python')) continue;
    const packages = join(folder, 'lib', version.name, 'site-packages');
    for (const { name } of await entries(packages)) {
      if (!/\.pth$|\.egg-link$|^__editable__.*\.py$/.test(name)) continue;
      const file = join(packages, name);
      const text = await readFile(file, 'utf8').catch(() => '');
      const named = text.match(/\/[^\s'",]+/g) ?? [];
      if (named.some((path) => isBetween(path, top, folder))) return file;
    }
  }
  return undefined;
}

/** A package that is a link to a folder of the checkout. */
async function linkBack(top: string, folder: string): Promise<string | undefined> {
  const packages = await entries(folder);
  const scopes = packages.filter((one) => one.isDirectory() && one.name.startsWith('@'));
  const inside = await Promise.all(scopes.map((scope) => entries(join(folder, scope.name))));
  for (const one of [...packages, ...inside.flat()]) {
    if (!one.isSymbolicLink()) continue;
    const path = join(one.parentPath, one.name);
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && isBetween(real, top, folder)) return path;
  }
  return undefined;
}

/** Inside the checkout, but not inside the folder itself. */
const isBetween = (path: string, top: string, folder: string): boolean =>
  !leadsOut(relative(top, path)) && leadsOut(relative(folder, path));

async function entries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function leadingBack(key: string, path: string, file: string): Error {
  return divisiError('WORKSPACE_UNSUPPORTED', {
    message: `workspace.${key}: ${oneLine(path, 80)} leads back into your checkout (${oneLine(file, 120)}): checks would test its code, not the agent's`,
    next: 'Remove it there, and let workspace.setup install in each room instead.',
  });
}
