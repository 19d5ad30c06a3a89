import { describe, expect, it } from 'vitest';
import { liesWithin, normalPath, pathFault, wayFrom } from './paths.ts';

describe('pathFault', () => {
  it.each([
    'a',
    'src/a.ts',
    './src/a.ts',
    'src//a.ts',
    '.divisi/a',
    '...',
    'a..b/c',
    'a/..b',
    'my docs/a.md',
    'src\\a.ts',
    'ab:c',
    'ü/数据.md',
  ])('none in %j', (path) => {
    expect(pathFault(path)).toBeUndefined();
  });

  it.each([
    ['', 'empty'],
    [' ', 'empty'],
    [' a', 'empty'],
    ['a\n', 'empty'],
    ['/etc/passwd', 'absolute'],
    ['//host/share', 'absolute'],
    ['\\\\host\\share', 'absolute'],
    ['\\windows', 'absolute'],
    ['C:\\windows', 'absolute'],
    ['c:/windows', 'absolute'],
    ['c:a', 'absolute'],
    ['~', 'absolute'],
    ['~/a', 'absolute'],
    ['~root/a', 'absolute'],
    ['./~/a', 'absolute'],
    ['./C:/a', 'absolute'],
    ['file:///etc/passwd', 'absolute'],
    ['https://a.b/c', 'absolute'],
    ['..', 'outside'],
    ['../a', 'outside'],
    ['a/../../b', 'outside'],
    ['a/..', 'outside'],
    ['a\\..\\b', 'outside'],
    ['..\\a', 'outside'],
    ['a\0b', 'control character'],
    ['a\nb', 'control character'],
    ['a\tb', 'control character'],
    ['a\u001Bb', 'control character'],
    ['a\u007Fb', 'control character'],
    ['a\uFFFDb', 'control character'],
  ])('of %j is %s', (path, fault) => {
    expect(pathFault(path)).toBe(fault);
  });
});

describe('normalPath', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src/./a/', 'src/a'],
    ['.', '.'],
    ['./', '.'],
    ['src\\a.ts', 'src\\a.ts'],
  ])('of %j is %j', (path, normal) => {
    expect(normalPath(path)).toBe(normal);
  });
});

describe('liesWithin', () => {
  it.each([
    ['src', 'src', true],
    ['src/a', 'src', true],
    ['src', '.', true],
    ['.', '.', true],
    ['src', 'src/a', false],
    ['src-old', 'src', false],
    ['.', 'src', false],
  ])('%j in %j: %j', (path, folder, within) => {
    expect(liesWithin(path, folder)).toBe(within);
  });
});

describe('wayFrom', () => {
  it.each([
    ['/w/tree', '/w/tree/src/a.ts', 'src/a.ts'],
    ['/w/tree/', '/w/tree/a', 'a'],
    ['C:\\w\\tree', 'C:\\w\\tree\\src\\a.ts', 'src/a.ts'],
    ['/w/tree', '/w/tree/../secret', '../secret'],
    ['/w/tree', '/w/tree', undefined],
    ['/w/tree', '/w/tree/', undefined],
    ['/w/tree', '/w/tree-2/a', undefined],
    ['/w/tree', '/etc/passwd', undefined],
    ['/w/tree', 'src/a.ts', undefined],
  ])('from %s to %s is %s', (from, to, way) => {
    expect(wayFrom(from, to)).toBe(way);
  });
});
