import { describe, expect, it } from 'vitest';
import { commandLine, commandWords } from './command-words.ts';

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

describe('commandLine', () => {
  it.each([
    [['npm', 'run', 'test:all', '--', '-p', './größe'], 'npm run test:all -- -p ./größe'],
    [['sh', '-c', 'test -f x'], "sh -c 'test -f x'"],
    [['grep', '-E', 'a|b', "it's", '', 'a\\b', '"'], String.raw`grep -E 'a|b' 'it'\''s' '' 'a\b' '"'`],
  ])('shows %j so that it is read as the same words', (words, line) => {
    expect(commandLine(words)).toBe(line);
    expect(commandWords(line)).toEqual(words);
  });
});
