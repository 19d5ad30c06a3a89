/** Resolves the file of the project that a tool call is about. */
import { readlinkSync, realpathSync } from 'node:fs';
import { textOrEmpty } from '../base/json-value.ts';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { leadsOut } from '../base/paths.ts';
import type { HookInput } from './hook-input.ts';
import type { HookRun } from './hook-run.ts';

/** The one field by which each tool takes its file; a call may have others, which the tool ignores. */
const fields: Readonly<Record<string, string>> = {
  Read: 'file_path',
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
};

/** Resolves links, also those whose target does not exist yet: writing creates it. */
export function pathIn({ tool, toolInput, cwd }: HookInput, { project }: Pick<HookRun, 'project'>): string | undefined {
  const given = textOrEmpty(toolInput[fields[tool] ?? 'path']);
  if (given === '') return undefined;
  const target = real(isAbsolute(given) ? given : resolve(cwd, given), mostLinks);
  if (target === undefined) return undefined;
  const path = relative(realpathSync(project), target);
  return leadsOut(path) || isAbsolute(path) ? undefined : path.split(sep).join('/') || '.';
}

/** As many as Linux follows. */
const mostLinks = 40;

/** For a missing file, resolves its folder. Undefined for links in a circle. */
function real(path: string, links: number): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    if (above === path) return path;
    const folder = real(above, links);
    if (folder === undefined || links === 0) return undefined;
    const at = join(folder, basename(path));
    const target = targetOf(at);
    return target === undefined ? at : real(resolve(folder, target), links - 1);
  }
}

/** Undefined for anything but a link. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
