import { describe, expect, it } from 'vitest';
import { commandWords } from './command-words.ts';

describe('commandWords', () => {
  it.each([
    ['node agent.js', ['node', 'agent.js']],
    ['  a   b\t"c d"  ', ['a', 'b', 'c d']],
    [`x 'it''s' "a\\"b" c\\ d 'e\\f'`, ['x', 'its', 'a"b', 'c d', 'e\\f']],
    ['x ""', ['x', '']],
    ['a; rm -rf $HOME && b | c > `d`', ['a;', 'rm', '-rf', '$HOME', '&&', 'b', '|', 'c', '>', '`d`']],
  ])('splits %j', (text, words) => {
    expect(commandWords(text)).toEqual(words);
  });

  it.each(['', '   ', '"a', "a 'b", 'a\\', '"" x'])('refuses %j', (text) => {
    expect(commandWords(text)).toBeUndefined();
  });
});
