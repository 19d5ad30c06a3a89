import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ask, type Menu, readChoice } from './ask.ts';

const question: Menu = { about: 'Which?', choices: ['one', 'two'], fresh: 'begin' };

describe('an answer', () => {
  it.each([
    ['1', 0],
    [' 2 ', 1],
    ['n', 'new'],
    ['NEW', 'new'],
    ['q', 'quit'],
    ['quit', 'quit'],
    ['', 'quit'],
    ['0', undefined],
    ['3', undefined],
    ['1.5', undefined],
    ['-1', undefined],
    ['yes', undefined],
  ])('%j', (line, choice) => {
    expect(readChoice(line, question)).toBe(choice);
  });

  it('new is none where nothing new can begin', () => {
    expect(readChoice('n', { about: '', choices: ['one'] })).toBeUndefined();
  });
});

describe('asking', () => {
  async function answered(...lines: string[]): Promise<{ choice: unknown; shown: string }> {
    const input = new PassThrough();
    const output = new PassThrough();
    const asked = ask(question, { input, output });
    input.end(lines.join(''));
    const choice = await asked;
    output.end();
    return { choice, shown: await text(output) };
  }

  it('shows the choices, and asks again until it is answered', async () => {
    const { choice, shown } = await answered('five\n', '2\n', '1\n');
    expect(choice).toBe(1);
    expect(shown).toBe('Which?\n  1  one\n  2  two\n  n  begin\n  q  quit\n> > ');
  });

  it('the end of the input is to quit', async () => {
    expect((await answered('five\n')).choice).toBe('quit');
    expect((await answered()).choice).toBe('quit');
  });
});
