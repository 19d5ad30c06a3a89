import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { attemptBranch, attemptName, checkoutName } from './room-name.ts';

it.each([
  ['2.3', '2.3-1'],
  ['task-a', 'task-a-1'],
  ['1:review', '1_3a_review-1'],
  ['a_b', 'a__b-1'],
  ['..', '_2e__2e_-1'],
  ['a..b', 'a._2e_b-1'],
  ['.hidden', '_2e_hidden-1'],
  ['-rf', '_2d_rf-1'],
  ['x.lock', 'x.lock-1'],
  ['a/../b', 'a_2f_._2e__2f_b-1'],
])('%s becomes %s', (id, name) => {
  expect(attemptName(id, 1)).toBe(name);
});

const id = fc.string({
  unit: fc.constantFrom(...'a b 1 . _ - : / ~ ^ @ { é'.split(' '), ' '),
  minLength: 1,
  maxLength: 12,
});

it('different attempts have different names', () => {
  fc.assert(
    fc.property(id, id, fc.nat(20), fc.nat(20), (one, other, attempt, another) => {
      const same = one === other && attempt === another;
      expect(attemptName(one, attempt) === attemptName(other, another)).toBe(same);
      expect(checkoutName(one)).not.toBe(attemptName(other, another));
    }),
  );
});

it('long ids keep apart', () => {
  const long = 'x'.repeat(400);
  expect(attemptName(`${long}a`, 1)).not.toBe(attemptName(`${long}b`, 1));
  expect(attemptName(long, 1).length).toBeLessThan(140);
});

it('every name is good for a branch', () => {
  const ids = fc.sample(id, { numRuns: 40, seed: 7 });
  for (const one of ids) {
    const branch = attemptBranch('run_1', attemptName(one, 1));
    expect(execFileSync('git', ['check-ref-format', '--branch', branch], { encoding: 'utf8' }).trim()).toBe(branch);
    expect(branch.split('/')).toHaveLength(3);
  }
});
