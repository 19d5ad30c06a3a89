/**
 * Finds acceptance commands that run files the work itself changed: scripts of a `package.json`, a Makefile, a script
 * named by the command. Their exit code then depends on what the agent wrote, which may be right but deserves a look.
 * Tests and tool settings that such a script uses are not followed.
 */
import { posix } from 'node:path';
import type { WorkFinding } from '../../core/event/verification.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { readInside } from '../../workspace/project-path.ts';
import { isTestName } from './file-kinds.ts';
import { finding, shortList } from '../../core/event/work-findings.ts';
import { spelled } from './spelled.ts';
import type { WorkChange } from '../work.ts';

export interface CommandFacts {
  /** The folder the agent worked in. */
  readonly directory: string;
  readonly changes: readonly WorkChange[];
  readonly commands: readonly { readonly argv: readonly string[] }[];
  /** The content of a file before the work. */
  readonly before: (path: string) => Promise<string | undefined>;
}

const packageRunner = /^(?:npm|pnpm|yarn|bun)$/;
const interpreter =
  /^(?:(?:ba|z|da|k|fi)?sh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|pwsh|g?make|just|task)$/;
const recipes: readonly (readonly [runner: RegExp, file: RegExp])[] = [
  [/^g?make$/, /(?:^|\/)(?:gnu)?makefile$|\.mk$/i],
  [/^just$/, /(?:^|\/)\.?justfile$|\.just$/i],
  [/^task$/, /(?:^|\/)taskfile(?:\.dist)?\.ya?ml$/i],
];

/** The most `package.json` files that are read, from the top of the project down. */
const mostPackages = 20;

export async function checkCommandSources(facts: CommandFacts): Promise<WorkFinding[]> {
  const { changes, commands } = facts;
  const paths = changes.map(({ path }) => path).filter((path) => !path.startsWith(':/'));
  if (commands.length === 0 || paths.length === 0) return [];
  const scripts = commands.some(({ argv }) => wordsOf(argv).some(isPackageRunner))
    ? await changedScripts(facts, paths)
    : [];
  const changed: string[] = [];
  const touched = new Set<string>();
  for (const { argv } of commands) {
    const words = wordsOf(argv);
    const files = paths.filter(isSourceOf(words));
    const packages = words.some(isPackageRunner) ? scripts.filter((one) => isRun(one, words)) : [];
    const sources = [...new Set([...files, ...packages.map(({ path, name }) => `${name} in ${path}`)])];
    if (sources.length > 0) changed.push(`${commandLine(argv)} (${shortList(sources)})`);
    for (const path of [...files, ...packages.map((one) => one.path)]) touched.add(path);
  }
  if (changed.length === 0) return [];
  return [
    finding('command-changed', {
      fact: `the work changes files that are run by ${shortList(changed)}`,
      paths: [...touched],
    }),
  ];
}

/** Includes the words of a command line passed to a shell. */
function wordsOf(argv: readonly string[]): string[] {
  return argv.flatMap((one) => one.split(/[\s;&|()'"]+/)).filter((word) => word !== '');
}

const nameOf = (word: string): string => posix.basename(word);
const isPackageRunner = (word: string): boolean => packageRunner.test(nameOf(word));

/** A file passed to another program, such as the tests of a test runner or the files of a linter, is not a script. */
function isSourceOf(words: readonly string[]): (path: string) => boolean {
  const programs = words.map(nameOf);
  const named = new Set(words.map(spelled));
  const runsScripts = programs.some((name) => interpreter.test(name));
  const patterns = recipes.filter(([runner]) => programs.some((name) => runner.test(name))).map(([, file]) => file);
  const isOfPackages = programs.some((name) => packageRunner.test(name));
  return (path) => {
    const own = spelled(path);
    if (own === spelled(words[0] ?? '')) return true;
    if (runsScripts && named.has(own) && !isTestName(own)) return true;
    return patterns.some((pattern) => pattern.test(own)) || (isOfPackages && nameOf(own) === '.npmrc');
  };
}

interface ChangedScript {
  readonly path: string;
  readonly name: string;
  /** Every script that existed before. */
  readonly before: ReadonlyMap<string, string>;
}

async function changedScripts({ directory, before }: CommandFacts, paths: readonly string[]): Promise<ChangedScript[]> {
  const depth = (path: string): number => path.split('/').length;
  const packages = paths.filter((path) => nameOf(path) === 'package.json');
  const found: ChangedScript[] = [];
  for (const path of packages.toSorted((one, other) => depth(one) - depth(other)).slice(0, mostPackages)) {
    const old = scriptsIn(await before(path));
    const now = scriptsIn(await readInside(directory, path).catch(() => undefined));
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      if (old.get(name) !== now.get(name)) found.push({ path, name, before: old });
    }
  }
  return found;
}

/** Any script may call an existing one; a new one runs only by its name, or before or after another. */
function isRun({ name, before }: ChangedScript, words: readonly string[]): boolean {
  const isKnown = (one: string): boolean =>
    before.has(one) || words.includes(one) || (one === 'test' && isShort(words));
  return isKnown(name) || isKnown(name.replace(/^(?:pre|post)/, ''));
}

/** `npm t`. */
const isShort = (words: readonly string[]): boolean => words.includes('t') || words.includes('tst');

function scriptsIn(text: string | undefined): ReadonlyMap<string, string> {
  try {
    const manifest: unknown = JSON.parse(text ?? 'null');
    if (typeof manifest !== 'object' || manifest === null || !('scripts' in manifest)) return new Map();
    const { scripts } = manifest;
    if (typeof scripts !== 'object' || scripts === null) return new Map();
    return new Map(Object.entries(scripts).map(([name, script]) => [name, JSON.stringify(script)]));
  } catch {
    return new Map();
  }
}
