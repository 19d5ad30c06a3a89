import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');

/** ARCHITECTURE.md names sources relative to `src`, subfolders of `views` and files of the simulation by their bare name. */
const bases = ['src', '.', 'src/views', 'tests/simulation'];

it('ARCHITECTURE.md names only files and folders that exist', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const named = [...text.matchAll(/`([a-z][\w-]*(?:\/[\w-]+)*(?:\/|\.ts))`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))).toEqual([]);
});

it('messages name guides that exist, and the package has them', () => {
  const sources = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  const texts = sources.map((path) => readFileSync(join(root, path), 'utf8'));
  const named = new Set(texts.flatMap((text) => [...text.matchAll(/\bdocs\/[\w-]+\.md\b/g)].map(([path]) => path)));
  named.delete('docs/plan.md'); // an example of a plan's path
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(packageFile.files).toContain('docs');
});
