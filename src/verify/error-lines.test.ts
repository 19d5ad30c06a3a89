import { expect, it } from 'vitest';
import { errorLines, isNewFailure, recordedErrors } from './error-lines.ts';

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
    '✖ adds',
    'AssertionError [ERR_ASSERTION]: 1 !== 2 in src/add.js:#:#',
    'TypeError: price is not a function',
    'AssertionError [ERR_ASSERTION]: 3 !== 4',
  ]);
  expect(other).toEqual(one);
});

const many = Array.from({ length: 500 }, (_, at) => `src/a${at}.ts(1,2): error TS2304: ${'x'.repeat(1000)}`).join('\n');

it('are bounded where they are recorded', () => {
  const recorded = recordedErrors(errorLines(many, '/r'));
  expect(recorded.map((line) => line.length)).toEqual([...Array(100).fill(200), ...Array(400).fill(12)]);
});

it('are compared beyond those that are recorded in full', () => {
  const base = { errors: recordedErrors(errorLines(many, '/r')), end: 'exit code 1' };
  const failure = (output: string): { errors: string[]; end: string } => {
    return { errors: errorLines(output, '/r'), end: 'exit code 1' };
  };
  expect(isNewFailure(failure(many), base)).toBe(false);
  expect(isNewFailure(failure(`${many}\nsrc/z.ts(1,2): error TS2304: Cannot find name 'z'.`), base)).toBe(true);
});

/** What real programs print for one failure, the same failure elsewhere in its file, and another one. */
const printed: readonly (readonly [program: string, base: string, moved: string, other: string])[] = [
  [
    'mocha',
    '  suite\n    1) adds\n    ✔ ok\n\n  1 passing (3ms)\n  1 failing\n\n  1) suite\n       adds:\n\n      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n',
    '  suite\n    1) adds\n    ✔ ok\n    ✔ new\n\n  2 passing (7ms)\n  1 failing\n\n  1) suite\n       adds:\n\n      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n',
    '  suite\n    1) adds\n    2) ok\n\n  0 passing (3ms)\n  2 failing\n\n  1) suite\n       adds:\n\n      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n',
  ],
  [
    'node --test',
    '✖ adds (1.24618ms)\n✔ ok (0.16077ms)\nℹ fail 1\n\n✖ failing tests:\n\ntest at t/n.js:1:36\n✖ adds (1.24618ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n',
    '✖ adds (12ms)\n✔ ok (0.2ms)\n✔ new (0.2ms)\nℹ fail 1\n\n✖ failing tests:\n\ntest at t/n.js:9:36\n✖ adds (12ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n',
    '✖ adds (1.2ms)\n✖ ok (0.16077ms)\nℹ fail 2\n\n✖ failing tests:\n\ntest at t/n.js:1:36\n✖ adds (1.2ms)\n  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n',
  ],
  ['tap', 'not ok 1 - adds\nok 2 - ok\n', 'ok 1 - new\nnot ok 2 - adds\n', 'not ok 1 - adds\nnot ok 2 - ok\n'],
  [
    'jest',
    'FAIL t/j.test.js\n  ✕ adds (2 ms)\n  ✓ ok\n\n  ● adds\n\n    expect(received).toBe(expected) // Object.is equality\n\nTests:       1 failed, 1 passed, 2 total\n',
    'FAIL t/j.test.js (5.2 s)\n  ✕ adds (9 ms)\n  ✓ ok\n  ✓ new\n\n  ● adds\n\n    expect(received).toBe(expected) // Object.is equality\n\nTests:       1 failed, 2 passed, 3 total\n',
    'FAIL t/j.test.js\n  ✕ adds (2 ms)\n  ✕ ok\n\n  ● adds\n\n    expect(received).toBe(expected) // Object.is equality\n\n  ● ok\n',
  ],
  ['ava', '  ✘ [fail]: adds\n  ✔ ok\n', '  ✘ [fail]: adds\n  ✔ ok\n  ✔ new\n', '  ✘ [fail]: adds\n  ✘ [fail]: ok\n'],
  [
    'eslint',
    "/r/t/l.js\n  1:5  error    'a' is never used            no-unused-vars\n  2:1  warning  Unexpected console statement  no-console\n\n✖ 2 problems (1 error, 1 warning)\n",
    "/r/t/l.js\n  14:5  error    'a' is never used            no-unused-vars\n  19:1  warning  Another  no-console\n\n✖ 3 problems (1 error, 2 warnings)\n",
    "/r/t/l.js\n  1:5  error  'a' is never used  no-unused-vars\n  2:1  error  'b' is not defined  no-undef\n\n✖ 2 problems (2 errors, 0 warnings)\n",
  ],
  [
    'tsc',
    "t/x.ts(1,7): error TS2322: Type 'number' is not assignable to type 'string'.\n",
    "t/x.ts(14,7): error TS2322: Type 'number' is not assignable to type 'string'.\n",
    "t/x.ts(1,7): error TS2322: Type 'number' is not assignable to type 'string'.\nt/x.ts(2,13): error TS2304: Cannot find name 'y'.\n",
  ],
  [
    'prettier',
    '[warn] t/a.mjs\n[warn] t/b.mjs\n[warn] Code style issues found in 2 files. Run Prettier with --write to fix.\n',
    '[warn] t/a.mjs\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.\n',
    '[warn] t/a.mjs\n[warn] t/c.mjs\n[warn] Code style issues found in 2 files. Run Prettier with --write to fix.\n',
  ],
  [
    'mypy, flake8, gcc',
    'a.py:3: error: Name "x" is not defined\nFound 1 error in 1 file\n',
    'a.py:9: error: Name "x" is not defined\na.py:12: note: See above\nFound 1 error in 1 file\n',
    'a.py:3: error: Name "x" is not defined\na.py:4: error: Name "y" is not defined\nFound 2 errors in 1 file\n',
  ],
  [
    'cargo test',
    "test a ... FAILED\ntest b ... ok\nthread 'a' (71) panicked at src/lib.rs:3:5:\nassertion failed: x\n",
    "test a ... FAILED\ntest b ... ok\nthread 'a' (92) panicked at src/lib.rs:7:5:\nassertion failed: x\n",
    "test a ... FAILED\ntest b ... FAILED\nthread 'a' (71) panicked at src/lib.rs:3:5:\nassertion failed: x\n",
  ],
  [
    'two programs',
    "t/x.ts(1,7): error TS2304: Cannot find name 'y'.\n",
    "t/x.ts(2,7): error TS2304: Cannot find name 'y'.\n",
    "t/x.ts(1,7): error TS2304: Cannot find name 'y'.\nTypeError: price is not a function\n",
  ],
  [
    'objects that name their address',
    "E       RuntimeError: Cannot pop <AppContext 140440887920208 of 'app'> at 0x7f12, /tmp/pytest-of-me/pytest-1/a",
    "E       RuntimeError: Cannot pop <AppContext 139911223344556 of 'app'> at 0x7aff, /tmp/pytest-of-me/pytest-2/a",
    "E       RuntimeError: Cannot push <AppContext 140440887920208 of 'app'> at 0x7f12, /tmp/pytest-of-me/pytest-1/a",
  ],
];

it.each(printed)('of %s tell a new failure from the old one', (_, base, moved, other) => {
  const end = 'exit code 1';
  const known = { errors: recordedErrors(errorLines(base, '/r')), end };
  const isNew = (output: string): boolean => isNewFailure({ errors: errorLines(output, '/r'), end }, known);
  expect([isNew(base), isNew(moved), isNew(other)]).toEqual([false, false, true]);
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
