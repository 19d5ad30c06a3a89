/** Which file of the project a tool is about. */
import { realpathSync } from 'node:fs';
import { textOrEmpty } from '../base/json-value.ts';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { leadsOut } from '../base/paths.ts';
import type { HookInput } from './hook-input.ts';
import type { Where } from './where.ts';

/** As it is on disk: a link leads where it leads. */
export function pathIn({ toolInput, cwd }: HookInput, { project }: Pick<Where, 'project'>): string | undefined {
  const given = textOrEmpty(toolInput['file_path'] ?? toolInput['notebook_path'] ?? toolInput['path']);
  if (given === '') return undefined;
  const path = relative(realpathSync(project), real(isAbsolute(given) ? given : resolve(cwd, given)));
  return leadsOut(path) ? undefined : path.split(sep).join('/') || '.';
}

/** Of a file that is not there yet, where its folder really is. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(real(above), basename(path));
  }
}
