// Owns: who may import whom. The table is the one of the architecture; a name that is not in it is refused.
// Promises: every file is either checked completely or reported, so that nothing passes by being unreadable.
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { type Import, importsOf } from './imports.ts';

/** A name imports from the rows above it, never from its own row or from below. */
const ROWS = [
  ['base'],
  ['contracts'],
  ['plan', 'delegation', 'routing', 'gates', 'config', 'agents', 'todo'],
  ['core'],
  ['dialects'],
  ['views'],
  ['ledger', 'process'],
  ['workspace'],
  ['drivers', 'engine'],
  ['verify'],
  ['reading'],
  ['conversation'],
  ['project'],
  ['run-work'],
  ['scheduler'],
  ['commands', 'features'],
  ['runtime'],
  ['hooks', 'mcp', 'http'],
  // The program that has the other doors as commands.
  ['cli'],
  // The bundles of `hooks` and `cli`.
  ['hook.cjs', 'cli.cjs'],
  ['index.ts', 'divisi.cts'],
];

/** Inside a folder: a subfolder imports from those before it in its list, never from those after it. */
const ORDERED: Readonly<Record<string, readonly string[]>> = { core: ['event', 'state', 'apply', 'decide'] };

/** A folder with more source files than this hides a concern that wants a folder of its own. */
const MOST_FILES = 25;

/** Plain data in, plain data out: no module of Node's, not even in their tests. */
const PURE = new Set(ROWS.slice(0, 6).flat());

/** A hook starts on every step of a client: it must not load what runs agents, directly or through another file. */
const HOOKS_NEVER = new Set(['scheduler', 'engine', 'drivers']);

/** The front doors reach runs through `runtime` and the folders above `scheduler`. */
const DOORS = new Set(['hooks', 'mcp', 'http', 'cli']);

/** What the folders beside src may import: anything, or the public API alone. A folder not named here: nothing of src. */
const BESIDE_SRC: Record<string, 'anything' | 'public-api'> = {
  tests: 'anything',
  tools: 'anything',
  bench: 'anything',
  examples: 'public-api',
};

const PUBLIC_API = 'src/index.ts';

/** Paths are relative to the repository, with `/`. One line per violation, none when all is well. */
export function checkLayers(files: ReadonlyMap<string, string>): string[] {
  const violations: string[] = [];
  const loads = new Map<string, string[]>();
  const names = new Map<string, string[]>();

  for (const [path, source] of files) {
    if (BESIDE_SRC[topOf(path)] === 'anything') continue;
    const own = inSrc(path) ? unknownName(path) : null;
    if (own) violations.push(`${path}: ${own}`);

    const imports = importsOf(path, source);
    if ('unreadable' in imports) {
      violations.push(`${path}: cannot be parsed: ${imports.unreadable}`);
      continue;
    }
    for (const one of imports) {
      const why = refusal(path, one);
      if (why) violations.push(`${path}:${one.line}: ${why}`);
    }
    const targets = (some: readonly Import[]): string[] => some.flatMap((one) => targetOf(path, one.specifier) ?? []);
    loads.set(path, targets(imports.filter((one) => one.kind === 'static')));
    if (inSrc(path) && !isTest(path)) names.set(path, targets(imports));
  }
  return [...violations, ...whatHooksLoad(loads), ...findCycles(names), ...crowdedFolders(names.keys())];
}

function refusal(from: string, { specifier, kind }: Import): string | null {
  if (specifier === null) return 'loads a module whose name is not a literal';
  if (isBuiltin(specifier)) {
    return inSrc(from) && PURE.has(nameOf(from)) ? `${nameOf(from)} is pure and may not import ${specifier}` : null;
  }
  if (/^(#|\/|[a-z]+:)/i.test(specifier)) return `cannot follow ${specifier}`;

  const target = targetOf(from, specifier);
  if (target === null) return null;
  return inSrc(from) ? refusalInSrc(from, target, kind) : refusalBesideSrc(from, target);
}

function refusalInSrc(from: string, target: string, kind: Import['kind']): string | null {
  if (isTest(from) && topOf(target) === 'tests') return null;
  if (!inSrc(target)) return `src may not import ${target}`;
  if (isTest(target) && kind !== 'type') return `may not load the test ${target}`;

  const unknown = unknownName(target);
  if (unknown) return `imports ${target}: ${unknown}`;
  const [name, other] = [nameOf(from), nameOf(target)];
  if (name === other) return refusalInFolder(name, from, target);
  if (name === 'hooks' && HOOKS_NEVER.has(other)) return `hooks may never import ${other}`;
  if (DOORS.has(name) && other === 'scheduler') return `${name} may not import scheduler: it goes through runtime`;
  const [row, otherRow] = [rowOf(name), rowOf(other)];
  if (row === otherRow) return `${name} may not import ${other}: same row`;
  if (row < otherRow) return `${name} may not import ${other}: a row below`;
  return null;
}

function refusalInFolder(name: string, from: string, target: string): string | null {
  const order = ORDERED[name] ?? [];
  const [inner = '', otherInner = ''] = [from.split('/')[2], target.split('/')[2]];
  const [at, otherAt] = [order.indexOf(inner), order.indexOf(otherInner)];
  return at !== -1 && otherAt > at ? `${name}/${inner} may not import ${name}/${otherInner}: it comes later` : null;
}

/** Files that need each other, types and lazy imports included: none of them can be read on its own. One line per group. */
function findCycles(names: ReadonlyMap<string, readonly string[]>): string[] {
  const reach = new Map<string, ReadonlySet<string>>();
  for (const path of names.keys()) {
    const seen = new Set<string>(names.get(path));
    for (const one of seen) for (const next of names.get(one) ?? []) seen.add(next);
    reach.set(path, seen);
  }
  const inCycle = [...names.keys()].filter((path) => reach.get(path)?.has(path));
  const groups = new Map(
    inCycle.map((path) => {
      const group = inCycle.filter((one) => reach.get(path)?.has(one) && reach.get(one)?.has(path)).toSorted();
      return [group[0] ?? path, group] as const;
    }),
  );
  return [...groups.values()].map((group) => `import cycle: ${group.join(', ')}`);
}

function crowdedFolders(paths: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder} has ${count} source files; at most ${MOST_FILES}`);
}

function refusalBesideSrc(from: string, target: string): string | null {
  if (topOf(target) === topOf(from)) return null;
  if (BESIDE_SRC[topOf(from)] !== 'public-api') return `${topOf(from)} may not import ${target}`;
  return target === PUBLIC_API ? null : `${topOf(from)} may import only ${PUBLIC_API}, not ${target}`;
}

/** Follows what is loaded at once, file by file; types are erased, and what is loaded lazily may never be. */
function whatHooksLoad(loads: ReadonlyMap<string, string[]>): string[] {
  const violations: string[] = [];
  for (const hook of loads.keys()) {
    if (!hook.startsWith('src/hooks/') || isTest(hook)) continue;
    const cameFrom = new Map<string, string | null>([[hook, null]]);
    for (const path of cameFrom.keys()) {
      for (const next of loads.get(path) ?? []) {
        if (cameFrom.has(next)) continue;
        cameFrom.set(next, path);
        // The direct import has been refused already.
        if (path !== hook && inSrc(next) && HOOKS_NEVER.has(nameOf(next))) {
          violations.push(`${hook}: hooks may never load ${nameOf(next)}, here through ${chain(cameFrom, path)}`);
        }
      }
    }
  }
  return violations;
}

function chain(cameFrom: ReadonlyMap<string, string | null>, last: string): string {
  const before = cameFrom.get(last);
  return before && cameFrom.get(before) ? `${chain(cameFrom, before)} → ${last}` : last;
}

/** The file in the repository that a specifier names; null for a module of Node's or of another package. */
function targetOf(from: string, specifier: string | null): string | null {
  if (specifier === 'divisi') return PUBLIC_API;
  if (specifier === null || !/^\.\.?(\/|$)/.test(specifier)) return null;
  return posix.join(posix.dirname(from), specifier.replace(/[?#].*$/, ''));
}

function unknownName(path: string): string | null {
  return rowOf(nameOf(path)) === -1 ? `${nameOf(path)} is not in the table of layers` : null;
}

/** The folder below src, or the file itself; the test of a root file goes by the name of that file. */
function nameOf(path: string): string {
  const [, first = '', ...rest] = path.split('/');
  return rest.length === 0 && isTest(first) ? first.replace(/\..*$/, '.ts') : first;
}

const rowOf = (name: string): number => ROWS.findIndex((row) => row.includes(name));
const topOf = (path: string): string => path.split('/')[0] ?? path;
const inSrc = (path: string): boolean => topOf(path) === 'src';
const isTest = (path: string): boolean => path.endsWith('.test.ts');
