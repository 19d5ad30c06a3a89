/** Detects the set-up of a room from the lock file of a project, for configs that name none. */
import { objectIn } from '../base/json-value.ts';

export interface DetectedSetUp {
  readonly setup: readonly (readonly string[])[];
  /** The file that tells it. */
  readonly from: string;
}

/** In the order of precedence; `if` names another file that must exist. */
const known: readonly (DetectedSetUp & { readonly if?: string })[] = [
  { from: 'pnpm-lock.yaml', setup: [['pnpm', 'install', '--frozen-lockfile']] },
  { from: 'yarn.lock', if: '.yarnrc.yml', setup: [['yarn', 'install', '--immutable']] },
  { from: 'yarn.lock', setup: [['yarn', 'install', '--frozen-lockfile']] },
  { from: 'package-lock.json', setup: [['npm', 'ci']] },
  { from: 'npm-shrinkwrap.json', setup: [['npm', 'ci']] },
  { from: 'uv.lock', setup: [['uv', 'sync', '--locked']] },
  { from: 'poetry.lock', setup: [['poetry', 'install']] },
  {
    from: 'requirements.txt',
    setup: [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--quiet', '--requirement', 'requirements.txt'],
    ],
  },
  { from: 'go.sum', setup: [['go', 'mod', 'download']] },
  { from: 'Cargo.lock', setup: [['cargo', 'fetch', '--locked']] },
];

/** Files to look for. */
export const setUpFiles: readonly string[] = [...new Set(known.flatMap((one) => [one.from, one.if ?? one.from]))];

/** For projects that keep no lock file on purpose, as many libraries do. `text` is their package.json. */
export function setUpOfManifest(text: string): DetectedSetUp | undefined {
  const manifest = objectIn(text);
  const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'workspaces'];
  const isList = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length > 0;
  const needs = lists.some((list) => isList(manifest[list]));
  return needs ? { from: 'package.json', setup: [['npm', 'install', '--no-audit', '--no-fund']] } : undefined;
}

/** Folders with a project's dependencies: a config that links or copies one has its own way. */
export const dependencyFolders: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', 'vendor', 'target']);

/** Whether paths that the config links or copies into rooms are such a folder. */
export function providesDependencies(provided: readonly string[]): boolean {
  return provided.some((path) => dependencyFolders.has(path.split('/').at(-1) ?? ''));
}

/** Undefined where no lock file tells what to do. */
export function detectSetUp(has: (file: string) => boolean): DetectedSetUp | undefined {
  return known.find((one) => has(one.from) && (one.if === undefined || has(one.if)));
}
