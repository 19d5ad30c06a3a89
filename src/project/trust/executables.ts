/**
 * Executables: everything in a project's own files that can make Divisi or an agent program execute something: the config, agents,
 * contracts, the set-up that a lock file tells, and settings of agent programs. Plans are not among them; their commands are
 * confirmed on their own.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import {
  detectSetUp,
  type DetectedSetUp,
  providesDependencies,
  setUpOfManifest,
} from '../../workspace/detect-set-up.ts';
import { hashText } from '../../workspace/hash-text.ts';
import { readOwnText } from '../../workspace/own-text.ts';
import { configFile, readConfig, usualConfig } from '../project-folder.ts';
import { clientFiles } from './client-files.ts';
import { hashedFiles } from './hashed-files.ts';

export interface Executable {
  /** Relative to the project, with `/`. */
  readonly path: string;
  /** What it executes or is, for people; in full, because a person decides by it. */
  readonly lines: readonly string[];
  readonly hash: string;
}

/** Settings that only choose and limit. Any other one counts, so that a new one does as well. */
const harmless: ReadonlySet<string> = new Set([
  ...'driver concurrency grace tiers deadlines limits classes commands features specs'.split(' '),
  ...['forbidden', 'ports', 'disk', 'timeout', 'checks'].map((key) => `workspace.${key}`),
]);

const mostManifest = 4 * 1024 * 1024;

const own = [
  { path: '.divisi/agents', of: 'agent of Divisi' },
  { path: '.divisi/contracts', of: 'contract: fields and actions of returns' },
];

/** In a fixed order. Throws CONFIG_INVALID for a config that cannot be used. */
export function findExecutables(project: string): Executable[] {
  const config = readConfig(project);
  const found = [...fromConfig(config), ...fromSetUp(project, config)];
  for (const { path: top, of } of [...own, ...clientFiles]) {
    for (const { path, hash } of hashedFiles(project, top)) found.push({ path, lines: [of], hash });
  }
  return found;
}

function fromConfig(config: Config): Executable[] {
  const usual = new Map(settingsOf(usualConfig()).map(([key, value]) => [key, JSON.stringify(value)]));
  const lines = settingsOf(config)
    .filter(([key, value]) => !harmless.has(key) && usual.get(key) !== JSON.stringify(value))
    .flatMap(([key, value]) => linesOf(value).map((line) => `${key}: ${line}`));
  return lines.length === 0 ? [] : [{ path: configFile, lines, hash: hashText(JSON.stringify(lines)) }];
}

type Setting = readonly [key: string, value: unknown];

function settingsOf({ workspace, drivers, ...others }: Config): Setting[] {
  const below = (key: string, values: object): Setting[] =>
    Object.entries(values).map(([name, value]): Setting => [`${key}.${name}`, value]);
  return [...below('drivers', drivers), ...below('workspace', workspace), ...Object.entries(others)];
}

/** One line for each command of a list, and one for anything else. */
function linesOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [JSON.stringify(value)];
  const isCommand = (one: unknown): one is string[] => Array.isArray(one);
  return value.map((one: unknown) => (isCommand(one) ? commandLine(one) : JSON.stringify(one)));
}

/** The set-up that is used where the config names none. */
function fromSetUp(project: string, { workspace }: Config): Executable[] {
  if (workspace.setup !== undefined || providesDependencies([...workspace.link, ...workspace.copy])) return [];
  const above = topOf(project);
  const has =
    (folder: string) =>
    (file: string): boolean =>
      existsSync(join(folder, file));
  const found: DetectedSetUp | undefined =
    detectSetUp(has(project)) ??
    (above === undefined ? undefined : detectSetUp(has(above))) ??
    setUpOfManifest(manifestOf(project));
  if (found === undefined) return [];
  const lines = found.setup.map((argv) => `set-up of rooms: ${commandLine(argv)}`);
  return [{ path: found.from, lines, hash: hashText(JSON.stringify(lines)) }];
}

function manifestOf(project: string): string {
  try {
    const read = readOwnText(project, 'package.json', mostManifest);
    return 'text' in read ? read.text : '';
  } catch {
    // Whatever it is, it names no packages.
    return '';
  }
}

/** The top of the repository around the project, where that is another folder. */
function topOf(project: string): string | undefined {
  for (let at = project; basename(at) !== ''; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at === project ? undefined : at;
  }
  return undefined;
}
