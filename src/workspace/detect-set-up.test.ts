import { expect, it } from 'vitest';
import { detectSetUp, setUpFiles } from './detect-set-up.ts';

it.each([
  [['package-lock.json'], 'npm ci'],
  [['package-lock.json', 'pnpm-lock.yaml'], 'pnpm install --frozen-lockfile'],
  [['yarn.lock'], 'yarn install --frozen-lockfile'],
  [['yarn.lock', '.yarnrc.yml'], 'yarn install --immutable'],
  [['uv.lock', 'requirements.txt'], 'uv sync --locked'],
  [['poetry.lock'], 'poetry install'],
  [['requirements.txt'], 'python3 -m venv .venv && .venv/bin/pip install --quiet --requirement requirements.txt'],
  [['go.sum'], 'go mod download'],
  [['Cargo.lock'], 'cargo fetch --locked'],
])('%j is set up with %s', (files, expected) => {
  const { setup = [] } = detectSetUp((file) => files.includes(file)) ?? {};
  expect(setup.map((argv) => argv.join(' ')).join(' && ')).toBe(expected);
  expect(files.filter((file) => !setUpFiles.includes(file))).toEqual([]);
});

it('leaves a project alone that has no lock file, or provides its dependencies itself', () => {
  expect(detectSetUp(() => false)).toBeUndefined();
  expect(detectSetUp(() => true, ['.env', 'packages/a/node_modules'])).toBeUndefined();
  expect(detectSetUp(() => true, ['.env'])).toBeDefined();
});
