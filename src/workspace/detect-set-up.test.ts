import { expect, it } from 'vitest';
import { detectSetUp, providesDependencies, setUpFiles, setUpOfManifest } from './detect-set-up.ts';

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

it('knows a config that provides the dependencies itself', () => {
  expect(detectSetUp(() => false)).toBeUndefined();
  expect(providesDependencies(['.env', 'packages/a/node_modules'])).toBe(true);
  expect(providesDependencies(['.env'])).toBe(false);
});

it.each([
  ['{"devDependencies": {"mocha": "1"}}', true],
  ['{"workspaces": ["packages/*"]}', true],
  ['{"dependencies": {}}', false],
  ['{"dependencies": "no", "workspaces": null}', false],
  ['[]', false],
  ['not json', false],
  ['', false],
])('of %s alone: installed is %s', (text, expected) => {
  expect(setUpOfManifest(text) !== undefined).toBe(expected);
});
