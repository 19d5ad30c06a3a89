/** Detects the set-up of a room from the lock file of a project, for configs that name none. */

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

/** Folders with a project's dependencies: a config that links or copies one has its own way. */
const dependencies = new Set(['node_modules', '.venv', 'venv', 'vendor', 'target']);

/** `provided`: paths that the config links or copies into rooms. Undefined where nothing is to be set up. */
export function detectSetUp(
  has: (file: string) => boolean,
  provided: readonly string[] = [],
): DetectedSetUp | undefined {
  if (provided.some((path) => dependencies.has(path.split('/').at(-1) ?? ''))) return undefined;
  return known.find((one) => has(one.from) && (one.if === undefined || has(one.if)));
}
