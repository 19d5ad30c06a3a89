/** Install inputs: names the commands that only install packages, the files they read, and the folders they fill. */

export type SetUpCommand = readonly string[];

/** By the program's name, the words that follow it. Not `composer`: its class maps depend on all sources. */
const installs: Readonly<Record<string, readonly string[]>> = {
  npm: ['ci', 'install', 'i'],
  pnpm: ['install', 'i'],
  yarn: ['install'],
  bun: ['install', 'i'],
  uv: ['sync', 'venv'],
  poetry: ['install'],
  pdm: ['install', 'sync'],
  pip: ['install'],
  pip3: ['install'],
  python: ['-m venv', '-m pip install'],
  python3: ['-m venv', '-m pip install'],
  go: ['mod download'],
  cargo: ['fetch'],
  bundle: ['install'],
};

export function isInstall([program = '', ...words]: SetUpCommand): boolean {
  const name = program.split('/').at(-1) ?? '';
  const said = `${words.join(' ')} `;
  return (Object.hasOwn(installs, name) ? (installs[name] ?? []) : []).some((start) => said.startsWith(`${start} `));
}

const inputs = new Set(
  `package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.cjs yarn.lock .yarnrc .yarnrc.yml
  .npmrc .nvmrc .node-version .tool-versions bun.lock bun.lockb bunfig.toml uv.lock uv.toml poetry.lock poetry.toml pdm.lock pyproject.toml setup.py setup.cfg
  Pipfile Pipfile.lock .python-version go.mod go.sum go.work go.work.sum Cargo.toml Cargo.lock rust-toolchain rust-toolchain.toml Gemfile
  Gemfile.lock .ruby-version .gitignore`.split(/\s+/),
);

/** `path` is relative to the repository's top. */
export function isInput(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (inputs.has(name) || /^(?:requirements|constraints).*\.(?:txt|in)$/.test(name)) return true;
  return parts.some((part) => part === 'patches' || part === 'requirements' || part === '.yarn');
}

const folders = new Set(['node_modules', '.venv', 'venv', 'vendor']);

/** Whether a path is a folder that installs fill, or lies in one. */
export function isInstalled(path: string): boolean {
  return path.split('/').some((part) => folders.has(part));
}
