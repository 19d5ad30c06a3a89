import { expect, it } from 'vitest';
import { columns } from './columns.ts';

it('gives each cell the width of the widest, and the last none', () => {
  expect(columns([['a', 'long', 'x'], ['bcd', '-', 'the rest is as it is'], ['e']])).toEqual([
    'a    long  x',
    'bcd  -     the rest is as it is',
    'e',
  ]);
});

it('lets nothing steer the terminal', () => {
  expect(columns([['a\u{1b}[2Jb', 'c\nd']])).toEqual(['a [2Jb  c d']);
});

it('makes nothing of nothing', () => {
  expect(columns([])).toEqual([]);
});
