/** The paths a task may touch. A pattern stands for the folder that holds everything it could match. */
import { normalPath, pathFault } from '../contracts/paths.ts';
import { parts, plain } from './inline.ts';
import { type Blame, quote } from './plan-fault.ts';

export function readScope(text: string, line: number, blame: Blame): string[] {
  const paths = new Set<string>();
  for (const part of parts(text, ',')) {
    const code = /`([^`]+)`/.exec(part)?.[1];
    const path = code ?? plain(part.replace(/\([^()]*\)$/, ''));
    const fault = pathFault(path);
    if (fault === undefined) paths.add(normalPath(withoutPattern(path)));
    else if (fault === 'absolute' || fault === 'outside') {
      blame('scope-outside', line, `the scope ${quote(path)} is not inside the project`);
    } else blame('bad-scope', line, `the scope ${quote(path)} is no path`);
  }
  return [...paths];
}

function withoutPattern(path: string): string {
  const segments = path.split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}]/.test(segment));
  return wild < 0 ? path : segments.slice(0, wild).join('/');
}
