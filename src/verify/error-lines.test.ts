import { expect, it } from 'vitest';
import { errorLines, isNewFailure } from './error-lines.ts';

const outputIn = (room: string, place: string, took: string): string =>
  [
    `✖ adds (${took})`,
    `  AssertionError [ERR_ASSERTION]: 1 !== 2 in ${room}/src/add.js:${place}`,
    '\u001b[31m  TypeError: price is not a function\u001b[39m',
    '  AssertionError [ERR_ASSERTION]: 3 !== 4',
    '',
  ].join('\n');

it('are the same for the same failure in another room, at another place, after another time', () => {
  const [one, other] = [
    errorLines(outputIn('/r/a', '3:1', '2 ms'), '/r/a'),
    errorLines(outputIn('/r/b', '9:1', '1.5 s'), '/r/b'),
  ];
  expect(one).toEqual([
    'AssertionError [ERR_ASSERTION]: 1 !== 2 in src/add.js:#:#',
    'TypeError: price is not a function',
    'AssertionError [ERR_ASSERTION]: 3 !== 4',
  ]);
  expect(other).toEqual(one);
});

it('are bounded', () => {
  const output = Array.from({ length: 500 }, (_, at) => `Error: number ${at} ${'x'.repeat(1000)}`).join('\n');
  const lines = errorLines(output, '/r');
  expect([lines.length, Math.max(...lines.map((line) => line.length))]).toEqual([100, 200]);
});

it.each([
  ['a line that the base has', ['a'], 'exit code 1', false],
  ['a line that it does not have', ['a', 'new'], 'exit code 1', true],
  ['fewer lines', [], 'exit code 1', true],
])('a failure with %s', (_, errors, end, isNew) => {
  expect(isNewFailure({ errors, end }, { errors: ['a', 'b'], end: 'exit code 1' })).toBe(isNew);
});

it.each([
  ['as it does', 'exit code 1', false],
  ['in another way', 'timed out after 600 s', true],
])('where the base shows no error, a failure that ends %s', (_, end, isNew) => {
  expect(isNewFailure({ errors: [], end }, { errors: [], end: 'exit code 1' })).toBe(isNew);
});
