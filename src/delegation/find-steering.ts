/** Finds the row of the steering list that a path touches, and judges whether a scope names it. Linear in the length of the path. */
import { liesWithin } from '../base/paths.ts';
import { type SteeringRow, steeringRows } from './steering-paths.ts';

export interface Steering {
  readonly row: SteeringRow;
  /** The shortest scope that names it: the path up to the first name of its row. */
  readonly named: string;
}

/**
 * One spelling for all that a file system may take for the same name: macOS ignores case and some invisible characters, Windows
 * case, dots and spaces at the end, and what follows a colon.
 */
export function foldedName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .toLowerCase();
  const stream = plain.indexOf(':');
  return (stream > 0 ? plain.slice(0, stream) : plain).replace(/[. ]{1,40}$/, '') || plain;
}

/** True for `.git` and everything in it, at any depth, also as Windows abbreviates it. */
export function isGitsOwn(path: string): boolean {
  return path.split('/').some((name) => /^(?:\.git|git~\d)$/.test(foldedName(name)));
}

interface Compiled {
  readonly row: SteeringRow;
  readonly names: readonly ((name: string) => boolean)[];
}

/** Rows by their first name; those whose first name is a pattern are tried at each name. */
const [byName, patterns] = compile();

function compile(): [ReadonlyMap<string, Compiled[]>, Compiled[]] {
  const named = new Map<string, Compiled[]>();
  const others: Compiled[] = [];
  for (const row of steeringRows) {
    const folded = row.path.split('/').map((name) => name.toLowerCase());
    const one = { row, names: folded.map(matcher) };
    const [first = ''] = folded;
    if (first.includes('*')) others.push(one);
    else named.set(first, [...(named.get(first) ?? []), one]);
  }
  return [named, others];
}

function matcher(pattern: string): (name: string) => boolean {
  const [start = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return (name) => name === pattern;
  const end = rest.join('*');
  // `lefthook*.y*ml`: what is after the first star has at most one more.
  const [middle = '', last] = end.split('*');
  return (name) => {
    if (!name.startsWith(start)) return false;
    const left = name.slice(start.length);
    if (last === undefined) return left.endsWith(middle);
    const at = left.lastIndexOf(middle);
    return at !== -1 && left.slice(at + middle.length).endsWith(last);
  };
}

/** Git's hooks folder as the user's config names it, relative to the project; the list cannot know it. */
function hooksRow(folder: string): SteeringRow {
  return { path: folder, why: 'git runs the hooks in it (core.hooksPath)', effect: 'executes' };
}

/** `path` is relative to the project, with `/`. `hooks` is the hooks folder of the user's config, if the project contains it. */
export function steeringOf(path: string, hooks?: string): Steering | undefined {
  const given = path.split('/');
  const names = given.map(foldedName);
  const upTo = (at: number): string => given.slice(0, at + 1).join('/');
  if (hooks !== undefined && liesWithin(names.join('/'), hooks.split('/').map(foldedName).join('/')))
    return { row: hooksRow(hooks), named: hooks };
  for (const [at, name] of names.entries()) {
    const found = [...(byName.get(name) ?? []), ...patterns].find(({ names: row }) =>
      row.every((matches, more) => matches(names[at + more] ?? '')),
    );
    if (found?.row.effect === 'none') return undefined;
    if (found !== undefined) return { row: found.row, named: upTo(at) };
  }
  return undefined;
}

/** A scope names a steering path if it is the path, or a folder of the list above it. `.` and folders around it do not. */
export function isNamedBy(path: string, { named }: Steering, scope: readonly string[]): boolean {
  return scope.some((entry) => liesWithin(path, entry) && liesWithin(entry, named));
}
