import { describe, expect, it } from 'vitest';
import { type Called, calledBy, readAnyway } from './called-binary.ts';

describe('what a name promises', () => {
  it.each<[path: string, called: Called]>([
    ['src/a.ts', 'text'],
    ['k.js', 'text'],
    ['.env.local', 'text'],
    ['.npmrc', 'text'],
    ['Makefile', 'text'],
    ['src/foo_test.zig', 'text'],
    ['keys/id_ed25519', 'text'],
    ['a.png', 'binary'],
    ['A.JPG', 'binary'],
    ['lib/libx.so', 'binary'],
    ['tool', 'either'],
    ['a.zig', 'either'],
  ])('%s: %s', (path, called) => {
    expect(calledBy(path)).toBe(called);
  });
});

describe('a file that git calls binary', () => {
  const file = (path: string, ...texts: string[]) => ({
    path,
    added: texts.map((text, at) => ({ line: at + 1, text })),
    removed: ['o\0ld'],
  });
  const noise = '\0\u0001\ufffd\ufffdabc\u0002\0\0';

  it.each<[path: string, text: string, isRead: boolean, isUnread: boolean]>([
    ['k.js', '/*\0*/ const a = 1;', true, false],
    ['tool', 'echo one, and some more\0', true, false],
    ['k.js', noise, true, true],
    ['k.js', 'const a = 1;'.replaceAll('', '\0'), true, true],
    ['tool', noise, false, false],
  ])('%s with %j', (path, text, isRead, isUnread) => {
    const { lines, unread } = readAnyway([file(path, text)]);
    const expected = { path, added: [{ line: 1, text: text.replaceAll('\0', '') }], removed: ['old'] };
    expect(lines).toEqual(isRead ? [expected] : []);
    expect(unread).toEqual(isUnread ? [path] : []);
  });

  it('is read where lines are only removed', () => {
    expect(readAnyway([file('tool')]).lines).toEqual([{ path: 'tool', added: [], removed: ['old'] }]);
  });
});
