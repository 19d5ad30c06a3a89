import assert from 'node:assert/strict';
import { test } from 'node:test';
import { report } from '../src/report.mjs';

test('adds up the prices', () => {
  assert.equal(report('a,100\nb,5'), 'a 1.00\nb 0.05\ntotal 1.05');
});

test('says which line is wrong', () => {
  assert.throws(() => report('a,100\nb'), /line 2/);
});
