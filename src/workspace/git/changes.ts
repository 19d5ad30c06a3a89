/** Lists the differences between two commits, file by file. A renamed file is one deleted file and one new file. */
import { diffTrees } from './diff-trees.ts';
import { fieldsOf } from './git.ts';
import type { Repository } from './repository.ts';

export interface DiffChange {
  /** Relative to the project; a file outside the project begins with `:/` and is relative to the repository's top. */
  readonly path: string;
  readonly change: 'added' | 'edited' | 'deleted';
  /** The new blob; absent for a deleted file and for a nested repository without a commit. */
  readonly blob?: string;
  /** `100644`, `100755`, `120000` for a symlink, `160000` for a nested repository; the old mode of a deleted file. */
  readonly mode: string;
  readonly oldMode?: string;
  /** A file of a submodule, which is in no commit of this repository. */
  readonly isInSubmodule?: true;
  readonly binary: boolean;
  readonly linesAdded: number;
  readonly linesDeleted: number;
}

export type LineCount = Pick<DiffChange, 'linesAdded' | 'linesDeleted'>;
export type ChangedFile = Pick<DiffChange, 'path' | 'change' | 'binary' | keyof LineCount>;

export async function changesBetween(repository: Repository, base: string, commit: string): Promise<DiffChange[]> {
  const shape = ['--raw', '--numstat', '-z', '--no-renames', '--no-abbrev'];
  const { stdout } = await diffTrees(repository, { from: base, to: commit, shape });
  return readChanges(repository, fieldsOf(stdout));
}

export function countLines(changes: readonly LineCount[]): LineCount {
  const sum = (of: keyof LineCount): number => changes.reduce((total, one) => total + one[of], 0);
  return { linesAdded: sum('linesAdded'), linesDeleted: sum('linesDeleted') };
}

/** A change as JSON for people and scripts: without git's own names. */
export function changedFile({ path, change, binary, linesAdded, linesDeleted }: DiffChange): ChangedFile {
  return { path, change, binary, linesAdded, linesDeleted };
}

/** First two fields per file (`:modes blobs letter`, path), then one with its line counts. */
function readChanges(repository: Repository, fields: readonly string[]): DiffChange[] {
  const raw = fields.findIndex((field, at) => at % 2 === 0 && !field.startsWith(':'));
  const [heads, counts] = raw === -1 ? [fields, []] : [fields.slice(0, raw), fields.slice(raw)];
  const lines = new Map(counts.map(readCounts));
  const changes: DiffChange[] = [];
  for (let at = 0; at + 1 < heads.length; at += 2) {
    const [head = '', path = ''] = heads.slice(at, at + 2);
    const [oldMode = '', mode = '', , blob = '', letter = ''] = head.slice(1).split(' ');
    changes.push({
      path: projectPath(repository, path),
      ...shapeOf(letter, { oldMode, mode, blob }),
      ...(lines.get(path) ?? { binary: false, linesAdded: 0, linesDeleted: 0 }),
    });
  }
  return changes;
}

type Shape = Pick<DiffChange, 'change' | 'blob' | 'mode' | 'oldMode'>;

function shapeOf(letter: string, { oldMode, mode, blob }: { oldMode: string; mode: string; blob: string }): Shape {
  if (letter === 'A') return { change: 'added', blob, mode };
  if (letter === 'D') return { change: 'deleted', mode: oldMode };
  return { change: 'edited', blob, mode, ...(oldMode === mode ? {} : { oldMode }) };
}

/** `3\t1\tpath`, or `-\t-\tpath` for a binary file. The path may contain tabs. */
function readCounts(field: string): [string, Pick<DiffChange, 'binary' | 'linesAdded' | 'linesDeleted'>] {
  const [added = '', deleted = '', ...path] = field.split('\t');
  const binary = added === '-';
  return [path.join('\t'), { binary, linesAdded: Number(added) || 0, linesDeleted: Number(deleted) || 0 }];
}

export function projectPath({ prefix }: Pick<Repository, 'prefix'>, path: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : `:/${path}`;
}

/** The inverse: relative to the repository's top. */
export function repositoryPath({ prefix }: Pick<Repository, 'prefix'>, path: string): string {
  return path.startsWith(':/') ? path.slice(2) : prefix + path;
}
