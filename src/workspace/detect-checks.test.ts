import { describe, expect, it } from 'vitest';
import { detectChecks, localFiles } from './detect-checks.ts';

const inFiles = (files: Readonly<Record<string, string>>): ReturnType<typeof detectChecks> =>
  detectChecks({ has: (file) => file in files, text: (file) => files[file] ?? '' });

const scripts = (own: Readonly<Record<string, string>>): string => JSON.stringify({ scripts: own });

describe('checks', () => {
  it.each<[string, Readonly<Record<string, string>>, string[]]>([
    [
      'npm',
      { 'package.json': scripts({ test: 'vitest', lint: 'eslint .', build: 'tsc' }) },
      ['npm test', 'npm run lint'],
    ],
    ['pnpm', { 'package.json': scripts({ typecheck: 'tsc' }), 'pnpm-lock.yaml': '' }, ['pnpm run typecheck']],
    ['yarn', { 'package.json': scripts({ test: 'jest' }), 'yarn.lock': '' }, ['yarn test']],
    ['uv', { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'uv.lock': '' }, ['uv run pytest']],
    ['poetry', { 'pyproject.toml': 'pytest = "^8"\n', 'poetry.lock': '' }, ['poetry run pytest']],
    ['pip', { 'conftest.py': '', 'requirements.txt': 'flask\n' }, ['.venv/bin/python -m pytest']],
    ['python', { 'pytest.ini': '' }, ['python3 -m pytest']],
    ['go', { 'go.mod': 'module x\n' }, ['go test ./...']],
    ['cargo and npm', { 'Cargo.toml': '', 'package.json': scripts({ test: 'ava' }) }, ['npm test', 'cargo test']],
  ])('of %s', (_, files, expected) => {
    expect(inFiles(files)?.accept.map((argv) => argv.join(' '))).toEqual(expected);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['nothing', {}],
    ['the test of npm init', { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) }],
    ['a package that cannot be read', { 'package.json': '{"scripts": [' }],
    ['scripts that are not a list', { 'package.json': '{"scripts": "test"}' }],
    ['a project without pytest', { 'pyproject.toml': '[project]\n' }],
  ])('are none: %s', (_, files) => {
    expect(inFiles(files)).toBeUndefined();
  });
});

it('local files are those that hold values, not those that show them', () => {
  const names = ['.env', '.env.local', '.env.test.local', '.env.example', '.env.sample', '.envrc', 'x.env', '.env.a b'];
  expect(localFiles(names)).toEqual(['.env', '.env.local', '.env.test.local']);
});
