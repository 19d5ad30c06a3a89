/** Merges two commits into one tree, three-way from their merge base, without files and without an index. */
import { fieldsOf, type GitPlace, git, gitText } from '../git.ts';
import { withAttributesOf } from './merge-attributes.ts';
import { type Repository, shared } from '../repository.ts';

export interface Stage {
  readonly mode: string;
  readonly blob: string;
}

/** One path that git could not resolve. `first` is the first commit's version and so on; absent if it has none. */
export interface ConflictedPath {
  /** Relative to the repository's top. */
  readonly path: string;
  readonly before?: Stage;
  readonly first?: Stage;
  readonly second?: Stage;
  /** Git's names for the kinds: `modify/delete`, `contents`. */
  readonly kinds: readonly string[];
}

export type MergedTrees =
  | { readonly kind: 'merged'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly tree: string; readonly unsettled: readonly ConflictedPath[] };

/** Uses the attributes of the first commit. A conflicted tree has both sides between markers that name the commits. */
export async function mergeTrees(repository: Repository, first: string, second: string): Promise<MergedTrees> {
  const args = ['merge-tree', '--write-tree', '-z', '--messages', '--end-of-options', first, second];
  const merge = async (place: GitPlace): Promise<{ code: number; fields: string[] }> => {
    const { code, stdout } = await git(place, args, { answers: [0, 1] });
    return { code, fields: fieldsOf(stdout) };
  };
  // Attributes say how the lines of a file are merged. Git has a message about each file that both sides changed.
  const quick = await merge(shared(repository));
  if (quick.code === 0 && quick.fields.length <= 2) return { kind: 'merged', tree: quick.fields[0] ?? '' };
  const { code, fields } = (await withAttributesOf(repository, first, merge)) ?? quick;
  const [tree = '', ...rest] = fields;
  if (code === 0) return { kind: 'merged', tree };
  const end = rest.indexOf('');
  // If both sides need the same name, git renames one of them: the name, `~` and the commit.
  const aside = new RegExp(`~(?:${first}|${second})(?:_\\d+)?$`);
  const own = (path: string): string => path.replace(aside, '');
  return {
    kind: 'conflict',
    tree,
    unsettled: readUnsettled(rest.slice(0, end), kindsByPath(rest.slice(end + 1), own), own),
  };
}

/** All changes of `second` are in `first` already, also where they came there as other commits. */
export async function addsNothing(repository: Repository, first: string, second: string): Promise<boolean> {
  // Git refuses to merge commits without a common one, such as those of a rewritten history.
  const common = await git(shared(repository), ['merge-base', '--end-of-options', first, second], { answers: [0, 1] });
  if (common.code === 1) return false;
  const merged = await mergeTrees(repository, first, second);
  return (
    merged.kind === 'merged' &&
    merged.tree ===
      (await gitText(shared(repository), ['rev-parse', '--verify', '--end-of-options', `${first}^{tree}`]))
  );
}

/** `mode blob stage\tpath` for each side of each path. */
function readUnsettled(
  entries: readonly string[],
  kinds: ReadonlyMap<string, string[]>,
  own: (path: string) => string,
): ConflictedPath[] {
  const sides = { 1: 'before', 2: 'first', 3: 'second' } as const;
  const found = new Map<string, Partial<Record<'before' | 'first' | 'second', Stage>>>();
  for (const entry of entries) {
    const tab = entry.indexOf('\t');
    const [mode = '', blob = '', stage = ''] = entry.slice(0, tab).split(' ');
    const path = own(entry.slice(tab + 1));
    const side = sides[Number(stage) as 1 | 2 | 3];
    found.set(path, { ...found.get(path), [side]: { mode, blob } });
  }
  return Array.from(found, ([path, stages]) => ({ path, ...stages, kinds: kinds.get(path) ?? [] }));
}

/** Repeats: the number of paths, the paths, the kind, and a message that is not used. */
function kindsByPath(fields: readonly string[], own: (path: string) => string): Map<string, string[]> {
  const kinds = new Map<string, string[]>();
  for (let at = 0; at < fields.length;) {
    const count = Number(fields[at]);
    const paths = fields.slice(at + 1, at + 1 + count).map(own);
    const [, kind] = /^CONFLICT \((.*)\)$/.exec(fields[at + 1 + count] ?? '') ?? [];
    for (const path of paths) if (kind !== undefined) kinds.set(path, [...(kinds.get(path) ?? []), kind]);
    at += count + 3;
  }
  return kinds;
}
