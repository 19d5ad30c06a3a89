/** Resolves the file of the project that a tool call is about. */
import { realpathSync } from 'node:fs';
import { textOrEmpty } from '../base/json-value.ts';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { leadsOut } from '../base/paths.ts';
import type { HookInput } from './hook-input.ts';
import type { HookRun } from './hook-run.ts';

/** Resolves links. */
export function pathIn({ toolInput, cwd }: HookInput, { project }: Pick<HookRun, 'project'>): string | undefined {
  const given = textOrEmpty(toolInput['file_path'] ?? toolInput['notebook_path'] ?? toolInput['path']);
  if (given === '') return undefined;
  const path = relative(realpathSync(project), real(isAbsolute(given) ? given : resolve(cwd, given)));
  return leadsOut(path) ? undefined : path.split(sep).join('/') || '.';
}

/** For a missing file, resolves its folder. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(real(above), basename(path));
  }
}
