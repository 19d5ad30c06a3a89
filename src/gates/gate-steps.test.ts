import { describe, expect, it } from 'vitest';
import {
  afterFix,
  afterVerdict,
  type GateKind,
  gateKinds,
  mostRounds,
  priorities,
  type Priority,
} from './gate-steps.ts';

/** What follows from the verdict of the first, the second, the third review, and of one that should not be. */
const rows: readonly [GateKind, Priority, string][] = [
  ['wave', 'HIGH', 'fix fix ask ask'],
  ['wave', 'MED', 'defer defer defer defer'],
  ['wave', 'LOW', 'pass pass pass pass'],
  ['task', 'HIGH', 'fix fix ask ask'],
  ['task', 'MED', 'defer defer defer defer'],
  ['task', 'LOW', 'pass pass pass pass'],
  ['final', 'HIGH', 'fix fix ask ask'],
  ['final', 'MED', 'fix fix defer defer'],
  ['final', 'LOW', 'pass pass pass pass'],
  ['audit', 'HIGH', 'ask ask ask ask'],
  ['audit', 'MED', 'fix fix fix fix'],
  ['audit', 'LOW', 'pass pass pass pass'],
];

describe('afterVerdict and afterFix', () => {
  it('cover every gate and verdict', () => {
    const all = gateKinds.flatMap((kind) => priorities.map((priority) => `${kind} ${priority}`));
    expect(rows.map(([kind, priority]) => `${kind} ${priority}`)).toEqual(all);
    expect(mostRounds).toBe(3);
  });

  it.each(rows)('%s, %s: %s', (kind, priority, steps) => {
    expect([1, 2, 3, 4].map((round) => afterVerdict(kind, priority, round)).join(' ')).toBe(steps);
  });

  it('ask a person at once about HALT, at any gate and in any round', () => {
    expect(gateKinds.flatMap((kind) => [1, 2, 3].map((round) => afterVerdict(kind, 'HALT', round)))).toEqual(
      Array.from({ length: 12 }, () => 'ask'),
    );
  });

  it('review every fix, except after an audit', () => {
    expect(gateKinds.map((kind) => [kind, afterFix(kind)])).toEqual([
      ['wave', 'review'],
      ['task', 'review'],
      ['final', 'review'],
      ['audit', 'pass'],
    ]);
  });
});
