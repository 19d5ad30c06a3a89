/**
 * Finds the program or package whose absence keeps a command from running. A missing file of the project is none of them: a task
 * may be about to create it.
 */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { liesWithin } from '../base/paths.ts';
import { plainLines } from './error-lines.ts';

export interface FailedCommand {
  readonly argv: readonly string[];
  /** See `CommandRun`. */
  readonly end: string;
  readonly output: string;
  /** Absolute: the room. */
  readonly folder: string;
}

/** Characters of a line that are looked at. */
const mostLine = 500;

/** How shells say which program they miss: the name before the words. */
const notFound =
  /(?:^|[\s:'`"])([^\s:'`"]+)['`"]?: (?:command )?(?:not found|No such file or directory|Permission denied)$/;

/** How runtimes and build tools say which package they miss. All search for fixed words first: linear on any line. */
const packages: readonly RegExp[] = [
  /Cannot find (?:module|package) ['"]([^'"]+)['"]/,
  /Failed to resolve import "([^"]+)"/,
  /No module named ['"]?([\w.]+)/,
  /no required module provides package ([^\s;:]+)/,
  /cannot find package "([^"]+)"/,
  /can't find crate for `([^`]+)`/,
  /no matching package named `([^`]+)`/,
];

/** Signs of a test that has run. Some runners report a file that cannot be loaded as a test that fails. */
const hasRun = /^\s*(?:✓|✔|ok \d|--- (?:PASS|FAIL)|PASSED|test \S+ \.\.\. )|\b[1-9]\d* pass(?:ed|ing)\b|\bpass [1-9]/;

/** Undefined for a command that has run and failed. */
export function missingPart(failed: FailedCommand): string | undefined {
  const { argv, end, folder } = failed;
  const [program = ''] = argv;
  if (end.startsWith('could not start: ')) return isOwnPath(program, folder) ? undefined : program;
  const lines = plainLines(failed.output).map((line) => line.slice(0, mostLine).trimEnd());
  if (/^exit code 12[67]$/.test(end)) {
    const named = lines.map((line) => notFound.exec(line)?.[1]).findLast((name) => name !== undefined) ?? program;
    return isOwnPath(named, folder) ? undefined : named;
  }
  if (!end.startsWith('exit code ') || lines.some((line) => hasRun.test(line))) return undefined;
  for (const line of lines) {
    const name = packages.map((pattern) => pattern.exec(line)?.[1]).find((one) => one !== undefined);
    if (name !== undefined && isPackage(name) && !isOwnName(name, folder)) return name;
  }
  return undefined;
}

/** A relative path, or one in the room. */
function isOwnPath(name: string, folder: string): boolean {
  return name.includes('/') && (!isAbsolute(name) || liesWithin(name, folder));
}

/** A folder or file of the project, such as `app` for `app.models`. */
function isOwnName(name: string, folder: string): boolean {
  const [first = name] = name.startsWith('@') ? [name] : name.split(/[./]/);
  return existsSync(join(folder, first)) || existsSync(join(folder, `${first}.py`));
}

/** Not a path, and not an alias of the project's own files. */
function isPackage(name: string): boolean {
  return /^(?:@[\w-][\w.-]*\/)?[A-Za-z_][\w.-]*/.test(name) && !/^(?:file|data|node):/.test(name);
}
