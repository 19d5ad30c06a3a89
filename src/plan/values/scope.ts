/**
 * Scope: reads the paths a task may change, and after a `!` those it may not. A pattern stands for the folder that holds
 * everything it could match; after `!`, that would forbid too much, so only a whole folder is allowed (`!src/old/**`).
 */
import { liesWithin, normalPath, pathFault } from '../../base/paths.ts';
import { parts, plain } from '../markdown/inline.ts';
import { type Blame, quote } from '../plan-fault.ts';
import type { PlanTask } from '../plan.ts';

/** A longer list was not written by hand; reading it stays linear. */
const mostCompared = 100_000;

export function readScope(text: string, line: number, blame: Blame): Pick<PlanTask, 'scope' | 'forbidden'> {
  const scope = new Set<string>();
  const forbidden = new Set<string>();
  for (const part of parts(text, ',')) {
    const { path, isForbidden } = pathIn(part);
    const fault = pathFault(path);
    if (fault === 'absolute' || fault === 'outside') {
      blame('scope-outside', line, `the scope ${quote(path)} is not inside the project`);
    } else if (fault !== undefined) blame('bad-scope', line, `the scope ${quote(path)} is not a path`);
    else if (!isForbidden) scope.add(normalPath(withoutPattern(path)));
    else {
      const folder = path.replace(/(?:^|\/)\*\*?$/, '') || '.';
      if (withoutPattern(folder) === folder) forbidden.add(normalPath(folder));
      else blame('bad-scope', line, `the scope forbids ${quote(path)}, expected a file or a folder`);
    }
  }
  for (const path of scope.size * forbidden.size > mostCompared ? [] : scope) {
    const over = [...forbidden].find((one) => liesWithin(path, one));
    if (over !== undefined) blame('bad-scope', line, `the scope ${quote(path)} is forbidden by ${quote(`!${over}`)}`);
  }
  return { scope: [...scope], ...(forbidden.size === 0 ? {} : { forbidden: [...forbidden] }) };
}

/** The mark may be before the code or inside it. */
function pathIn(part: string): { readonly path: string; readonly isForbidden: boolean } {
  const code = /`([^`]+)`/.exec(part)?.[1];
  const path = code ?? plain(part.replace(/\([^()]*\)$/, ''));
  const inside = path.startsWith('!');
  return { path: inside ? path.slice(1).trim() : path, isForbidden: inside || /^[*_]{0,2}!/.test(part) };
}

function withoutPattern(path: string): string {
  const segments = path.split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}]/.test(segment));
  return wild < 0 ? path : segments.slice(0, wild).join('/');
}
