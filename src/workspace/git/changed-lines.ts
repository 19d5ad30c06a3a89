/**
 * Reads the lines added and removed between two commits, for the checks that look for secrets, markers and skipped
 * tests.
 */
import { projectPath, repositoryPath } from './changes.ts';
import { diffTrees } from './diff-trees.ts';
import { git } from './git.ts';
import { type Repository, shared } from './repository.ts';

export interface DiffLines {
  /** As in `DiffChange`. */
  readonly path: string;
  readonly added: readonly { readonly line: number; readonly text: string }[];
  readonly removed: readonly string[];
}

export interface LinesSpec {
  readonly base: string;
  readonly commit: string;
  /** Limit for the whole diff; `complete` is false if it was exceeded. */
  readonly mostBytes: number;
  /** Only these files, read as text even if git calls them binary, which it does for a single NUL. */
  readonly asText?: readonly string[];
}

/** Command lines have a maximum length. */
const mostPaths = 500;

const shape = [
  '-p',
  '-U0',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-indent-heuristic',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--ignore-submodules=none',
  '--submodule=short',
];

/** Files without text lines (binary, mode changes, empty) are left out. */
export async function changedLines(
  repository: Repository,
  { base, commit, mostBytes, asText }: LinesSpec,
): Promise<{ files: DiffLines[]; complete: boolean }> {
  const only = asText?.slice(0, mostPaths).map((path) => repositoryPath(repository, path)) ?? [];
  const { stdout, cut } =
    asText === undefined
      ? await diffTrees(repository, { from: base, to: commit, shape, most: mostBytes })
      : await git(
          shared(repository),
          [
            '--literal-pathspecs',
            'diff-tree',
            '-r',
            ...shape,
            '--text',
            '--end-of-options',
            base,
            commit,
            '--',
            ...only,
          ],
          { most: mostBytes, beyond: 'cut' },
        );
  const isAll = !cut && only.length === (asText?.length ?? 0);
  const files = readPatch(stdout.toString('utf8').split('\n'));
  return { files: files.map((file) => ({ ...file, path: projectPath(repository, file.path) })), complete: isAll };
}

interface OpenFile {
  path: string;
  readonly added: { line: number; text: string }[];
  readonly removed: string[];
}

/** Counts the lines of each hunk: a line of a file may look like a header. */
function readPatch(lines: readonly string[]): OpenFile[] {
  const files: OpenFile[] = [];
  let file: OpenFile | undefined;
  let [old, fresh, number] = [0, 0, 0];
  for (const line of lines) {
    if (old > 0 && line.startsWith('-')) {
      old -= 1;
      file?.removed.push(line.slice(1));
    } else if (fresh > 0 && line.startsWith('+')) {
      fresh -= 1;
      file?.added.push({ line: number, text: line.slice(1) });
      number += 1;
    } else if (line.startsWith('--- ')) {
      file = { path: nameIn(line.slice(4)), added: [], removed: [] };
      files.push(file);
    } else if (line.startsWith('+++ ')) {
      if (file !== undefined && line !== '+++ /dev/null') file.path = nameIn(line.slice(4));
    } else if (line.startsWith('@@ ')) {
      const [, removed = '1', start = '0', added = '1'] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
      [old, fresh, number] = [Number(removed), Number(added), Number(start)];
    }
  }
  return files;
}

/** `a/name`, followed by a tab if it contains spaces, or quoted if it contains control characters. */
function nameIn(written: string): string {
  const name = written.startsWith('"') ? unquoted(written) : written.replace(/\t$/, '');
  return name.slice(2);
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Octal escapes stand for bytes, not for characters. */
function unquoted(written: string): string {
  const pieces: Buffer[] = [];
  for (const [piece, escape, octal] of written.slice(1, -1).matchAll(/\\(?:([abtnvfr"\\])|([0-7]{3}))|[^\\]+/g)) {
    if (octal !== undefined) pieces.push(Buffer.from([Number.parseInt(octal, 8)]));
    else if (escape !== undefined) pieces.push(Buffer.from([escapes[escape] ?? escape.charCodeAt(0)]));
    else pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces).toString('utf8');
}
