import { describe, expect, it } from 'vitest';
import { looseSettings, splitFrontmatter } from './frontmatter.ts';

describe('splitFrontmatter', () => {
  it.each([
    ['---\nname: a\n---\nDo it.\n', '\nname: a', 'Do it.'],
    ['\u{feff}---  \r\nname: a\r\n---\r\n\r\nDo\r\nit.\r\n', '\nname: a', 'Do\nit.'],
    ['---\n---\n', '', ''],
    ['---\na: 1\n---\nOne.\n---\nTwo.', '\na: 1', 'One.\n---\nTwo.'],
  ])('%j', (text, settings, body) => {
    expect(splitFrontmatter(text)).toEqual({ settings, body });
  });

  it.each([
    ['', 'none'],
    ['# Notes\n---\n---\n', 'none'],
    ['---\nname: a\n', 'open'],
  ])('%j is %s', (text, what) => {
    expect(splitFrontmatter(text)).toBe(what);
  });
});

describe('looseSettings', () => {
  it('reads the text after the first colon', () => {
    expect(looseSettings('\nname: a\ndescription: Use it: for "this"\n  more\nmodel: "opus"')).toEqual({
      name: 'a',
      description: 'Use it: for "this"',
      model: 'opus',
    });
  });

  it('reads the items below a key', () => {
    expect(looseSettings("tools:\n  - Read\n  - 'Bash(git:*)'\ncolor: x")).toEqual({
      tools: 'Read, Bash(git:*)',
      color: 'x',
    });
  });

  it('sets no prototype', () => {
    const settings = looseSettings('constructor: x\nname: y');
    expect(Object.entries(settings)).toEqual([
      ['constructor', 'x'],
      ['name', 'y'],
    ]);
  });
});
