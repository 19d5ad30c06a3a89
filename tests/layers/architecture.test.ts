import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** ARCHITECTURE.md names sources relative to `src`, subfolders of `views` and files of the simulation by their bare name. */
const bases = ['src', '.', 'src/views', 'tests/simulation'];

it('ARCHITECTURE.md names only files and folders that exist', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const named = [...text.matchAll(/`([a-z][\w-]*(?:\/[\w-]+)*(?:\/|\.ts))`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))).toEqual([]);
});
