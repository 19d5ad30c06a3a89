/**
 * Finds the program or package whose absence keeps a command from running, or the built file. A missing file that belongs into a
 * commit is none of them: a task may be about to create it.
 */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
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

/** How programs that run others, and end with an exit code of their own, say which one they miss. */
const programs: readonly RegExp[] = [
  /^\S*sh: (?:line )?(?:\d+: )?([^\s:]+): (?:command )?not found$/,
  /^make(?:\[\d+\])?: ([^\s:]+): No such file or directory$/,
  /\bCommand "([^"]+)" not found/,
  /^Command not found: (\S+)$/,
  /Failed to spawn: `([^`]+)`/,
  /no such command: `([^`]+)`/,
];

/** How runtimes and build tools say which package they miss. All search for fixed words first: linear on any line. */
const packages: readonly RegExp[] = [
  /Cannot find (?:module|package) ['"]([^'"]+)['"]/,
  /Failed to resolve import "([^"]+)"/,
  /Failed to resolve entry for package "([^"]+)"/,
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
    const run = firstMatch(programs, line);
    if (run !== undefined && !isOwnPath(run, folder)) return run;
    const name = firstMatch(packages, line);
    if (name === undefined) continue;
    const inside = name.lastIndexOf('/node_modules/');
    if (inside !== -1) return name.slice(inside + 1);
    if (isPackage(name) && !isOwnName(name, folder)) return name;
  }
  return undefined;
}

/** How runtimes say which file imports the missing one: on the same line, or below it. */
const importers: readonly RegExp[] = [/\b(?:imported )?from ['"]?([^'"\s]+)/, /^- (\/.+)$/];

/** The missing modules that are files of the project, as paths from its folder. None if a test has run. */
export function missingFiles({ end, output, folder }: Omit<FailedCommand, 'argv'>): string[] {
  const lines = plainLines(output).map((line) => line.slice(0, mostLine).trimEnd());
  if (!end.startsWith('exit code ') || lines.some((line) => hasRun.test(line))) return [];
  const files = lines.flatMap((line, at) => {
    const name = firstMatch(packages, line);
    if (name === undefined || !/^\.{0,2}\//.test(name)) return [];
    const importer = [line, ...lines.slice(at + 1, at + 3)].map((one) => firstMatch(importers, one)).find(Boolean);
    if (!isAbsolute(name) && importer === undefined) return [];
    return [resolve(folder, dirname(importer ?? '.'), name)];
  });
  return [...new Set(files)].filter((file) => liesWithin(file, folder)).map((file) => relative(folder, file));
}

function firstMatch(patterns: readonly RegExp[], line: string): string | undefined {
  return patterns.map((pattern) => pattern.exec(line)?.[1]).find((one) => one !== undefined);
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
