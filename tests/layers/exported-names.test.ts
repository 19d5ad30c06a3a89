import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTwins } from './exported-names.ts';

const root = join(import.meta.dirname, '../..');

const find = (files: Record<string, string>): string[] => findTwins(new Map(Object.entries(files)));

describe('exported names', () => {
  it('of the sources have one meaning each', () => {
    const paths = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
    const files = new Map(paths.map((path) => [path.split(sep).join('/'), readFileSync(join(root, path), 'utf8')]));
    expect(files.size).toBeGreaterThan(600);
    expect(findTwins(files)).toEqual([]);
  });

  it.each([
    ['functions', 'export function a() {}', 'export async function a() {}'],
    ['generators', 'export function* a() {}', 'export const a = 1;'],
    ['types', 'export type a = string;', 'export interface a { b: string }'],
    ['classes', 'export class a {}', 'const a = 1;\nexport { a };'],
    ['a renamed export', 'const b = 1;\nexport { b as a };', 'export const a = 1;'],
  ])('are found twice: %s', (_what, one, other) => {
    expect(find({ 'src/x.ts': one, 'src/y.ts': other })).toEqual(['a has two meanings: src/x.ts and src/y.ts']);
  });

  it('may be a value and its type, be exported again, and be local elsewhere', () => {
    expect(
      find({
        'src/x.ts': 'export const a = 1;\nexport type a = number;',
        'src/y.ts': "export { a } from './x.ts';",
        'src/z.ts': 'const a = 2;',
      }),
    ).toEqual([]);
  });

  it('are shared by the two entry points alone', () => {
    const done = 'export const done = 1;';
    expect(find({ 'src/cli/start.ts': done, 'src/hooks/main.ts': done })).toEqual([]);
    expect(find({ 'src/cli/start.ts': done, 'src/mcp/serve.ts': done })).toHaveLength(1);
  });
});
