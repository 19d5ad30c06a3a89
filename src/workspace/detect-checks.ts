/** Detects, from the files of a project, the commands that check it and the local files that rooms need. Only ever proposed. */
import { objectIn } from '../base/json-value.ts';

export interface DetectedChecks {
  readonly accept: readonly (readonly string[])[];
  /** The files that tell it. */
  readonly from: readonly string[];
}

interface ProjectFiles {
  readonly has: (file: string) => boolean;
  /** Empty for a missing file. */
  readonly text: (file: string) => string;
}

/** Scripts of a package that check it, under the names that are common. */
const scripts = ['test', 'lint', 'typecheck', 'type-check', 'check-types'];

export function detectChecks(files: ProjectFiles): DetectedChecks | undefined {
  const found = [packageChecks, pythonChecks, goChecks, cargoChecks].flatMap((detect) => detect(files) ?? []);
  if (found.length === 0) return undefined;
  return { accept: found.flatMap(({ accept }) => accept), from: found.flatMap(({ from }) => from) };
}

/** Files such as `.env.local`, of the names in a project's top folder; not those that only show what is needed. */
export function localFiles(names: readonly string[]): string[] {
  const isExample = (name: string): boolean => /\.(?:example|sample|template|dist|defaults?)$/.test(name);
  return names.filter((name) => /^\.env(?:\.[\w-]+)*$/.test(name) && !isExample(name)).toSorted();
}

function packageChecks({ has, text }: ProjectFiles): DetectedChecks | undefined {
  const { scripts: own } = objectIn(text('package.json'));
  const known = typeof own === 'object' && own !== null ? (own as Record<string, unknown>) : {};
  const usable = scripts.filter((name) => isScript(known[name]));
  if (usable.length === 0) return undefined;
  const program = has('pnpm-lock.yaml') ? 'pnpm' : has('yarn.lock') ? 'yarn' : 'npm';
  return {
    accept: usable.map((name) => (name === 'test' ? [program, name] : [program, 'run', name])),
    from: ['package.json'],
  };
}

/** `npm init` writes a test that always fails. */
function isScript(command: unknown): boolean {
  return typeof command === 'string' && command.trim() !== '' && !command.includes('no test specified');
}

function pythonChecks({ has, text }: ProjectFiles): DetectedChecks | undefined {
  const named = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt'].find((file) =>
    text(file).includes('pytest'),
  );
  const from = ['pytest.ini', 'conftest.py'].find(has) ?? named;
  if (from === undefined) return undefined;
  if (has('uv.lock')) return { accept: [['uv', 'run', 'pytest']], from: [from] };
  if (has('poetry.lock')) return { accept: [['poetry', 'run', 'pytest']], from: [from] };
  const python = has('requirements.txt') ? '.venv/bin/python' : 'python3';
  return { accept: [[python, '-m', 'pytest']], from: [from] };
}

function goChecks({ has }: ProjectFiles): DetectedChecks | undefined {
  return has('go.mod') ? { accept: [['go', 'test', './...']], from: ['go.mod'] } : undefined;
}

function cargoChecks({ has }: ProjectFiles): DetectedChecks | undefined {
  return has('Cargo.toml') ? { accept: [['cargo', 'test']], from: ['Cargo.toml'] } : undefined;
}
