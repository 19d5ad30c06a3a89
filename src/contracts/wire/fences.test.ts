import { describe, expect, it } from 'vitest';
import { findFences, insideOf } from './fences.ts';

const inner = (text: string): string[] =>
  findFences(text).map((fence) => text.slice(fence.inner.start, fence.inner.end));

describe('findFences', () => {
  it.each<[what: string, text: string, inner: string[]]>([
    ['none', 'a ``b`` c', []],
    ['one', 'x\n```\na\n```\ny', ['a\n']],
    ['with a language', '```ts\na\n```', ['a\n']],
    ['of tildes', '~~~\na\n```\n~~~', ['a\n```\n']],
    ['indented by three', '   ```\na\n   ```', ['a\n']],
    ['indented by four: code, not a fence', '    ```\na', []],
    ['longer marks close it, shorter ones do not', '````\n```\na\n`````', ['```\na\n']],
    ['a mark with a word does not close', '```\na\n```ts\nb\n```', ['a\n```ts\nb\n']],
    ['one that never closes', 'x\n```\na\nb', ['a\nb']],
    ['an empty one', '```\n```', ['']],
    ['code in a line', '```a``` b\n```\nc\n```', ['c\n']],
    ['several', '```\na\n```\n```\nb\n```', ['a\n', 'b\n']],
  ])('%s', (_what, text, expected) => {
    expect(inner(text)).toEqual(expected);
  });
});

describe('insideOf', () => {
  it('answers for positions in ascending order', () => {
    const inside = insideOf([
      { start: 2, end: 4 },
      { start: 6, end: 7 },
    ]);
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].filter((position) => inside(position))).toEqual([2, 3, 6]);
  });
});
