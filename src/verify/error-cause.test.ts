/** The fixtures are real outputs of these programs; folders are renamed. */
import { readdirSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { flatten } from '../base/text.ts';
import { causeAt } from '../base/error-cause.ts';

const folder = new URL('../../tests/fixtures/outputs/', import.meta.url);

function causeIn(file: string): string | undefined {
  const text = stripVTControlCharacters(readFileSync(new URL(file, folder), 'utf8'));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const at = causeAt(lines);
  // Recorded lines have no indentation.
  expect(causeAt(lines.map(flatten))).toBe(at);
  return at === undefined ? undefined : lines[at]?.trim();
}

const expected: Readonly<Record<string, string>> = {
  'cargo-build.txt': 'error[E0277]: cannot add `&str` to `u32`',
  'cargo-test.txt': 'assertion `left == right` failed',
  'eslint.txt': "1:5  error    'a' is assigned a value but never used  no-unused-vars",
  'go-build.txt': './cart.go:8:9: undefined: summ',
  'go-panic.txt': 'panic: assignment to entry in nil map',
  'go-test.txt': 'cart_test.go:7: Total = 4, want 3',
  'jest.txt': '● suite › adds',
  'mocha-load.txt': 'Exception during run: Error: a line without a price',
  'mocha.txt': 'AssertionError [ERR_ASSERTION]: 3 == 4',
  'node-missing.txt':
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/home/me/shop/missing.mjs' imported from /home/me/shop/b.mjs",
  'node-test.txt': 'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
  'node.txt': 'RangeError: a line without a price is taken for NaN cents',
  'npm-lint.txt': 'sh: 1: no-such-linter: not found',
  'npm-missing-script.txt': 'npm error Missing script: "nothing"',
  'npm.txt': 'RangeError: a line without a price is taken for NaN cents',
  'pytest-collect.txt': "E   ModuleNotFoundError: No module named 'nosuch'",
  'pytest.txt': 'E       assert 0.30000000000000004 == 0.3',
  'python.txt': "KeyError: 'key'",
  'vitest.txt': 'AssertionError: expected 1 to be 1.01 // Object.is equality',
};

describe('the cause of a failure', () => {
  it.each(Object.entries(expected))('is found in %s', (file, line) => {
    expect(causeIn(file)).toBe(line);
  });

  it('has a fixture for each, and none is unused', () => {
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  it('is the last exception of a Python traceback, and the first of any other output', () => {
    const chained = ['Traceback (most recent call last):', "KeyError: 'a'", 'During handling …', 'ValueError: bad'];
    expect(causeAt(chained)).toBe(3);
    expect(causeAt(chained.slice(1))).toBe(0);
  });

  it('is unknown in prose', () => {
    expect(causeAt(['All done.', 'Terror: a film', '3 passed'])).toBeUndefined();
    expect(causeAt([])).toBeUndefined();
  });
});
