import { describe, expect, it } from 'vitest';
import type { DelegationLimits } from '../base/delegation-limits.ts';
import type { Entry } from '../dialects/entry.ts';
import { limitMeter, spentLimit } from './limit-meter.ts';

function metered(limits: DelegationLimits) {
  let times = 0;
  const meter = limitMeter(limits, () => (times += 1));
  /** `tool-ended b` ends the call b; a call without a name is one and the same. */
  const take = (...words: string[]): void =>
    words.forEach((word) => {
      const [kind = '', id = ''] = word.split(' ');
      meter.take({ kind: kind as Entry['kind'], id });
    });
  return { meter, take, times: () => times };
}

describe('the answers of the model', () => {
  it('are what is said and called between the results of tools', () => {
    const { meter, take } = metered({ turns: 10 });
    take(
      'thought',
      'said',
      'tool a',
      'tool b',
      'tool-ended a',
      'tool-ended b',
      'said',
      'tool',
      'tool-ended',
      'note',
      'said',
    );
    expect(meter.left()).toEqual({ turns: 7 });
  });

  it('are counted where a client reports a call only at its end', () => {
    const { meter, take } = metered({ turns: 10 });
    take('tool-ended a', 'tool-ended a', 'tool-ended b', 'said', 'tool-ended c');
    expect(meter.left()).toEqual({ turns: 7 });
  });

  it('are counted by the marks of a client that makes them', () => {
    const { meter, take } = metered({ turns: 10 });
    take('answer-begun', 'tool', 'tool-ended', 'tool', 'tool-ended', 'answer-begun', 'said');
    expect(meter.left()).toEqual({ turns: 8 });
  });

  it('start from zero in each turn', () => {
    const { meter, take } = metered({ turns: 10 });
    take('said');
    meter.endTurn(undefined);
    take('said');
    expect(meter.left()).toEqual({ turns: 8 });
  });

  it('may be as many as the limit, and not one more', () => {
    const { meter, take, times } = metered({ turns: 2 });
    take('tool', 'tool-ended', 'tool', 'tool-ended');
    expect([meter.reached(), times()]).toEqual([undefined, 0]);
    expect(spentLimit(meter)).toBe('stopped at its limit of 2 turns; the files it left are kept');
    take('said', 'tool', 'tool-ended', 'said');
    expect([meter.reached(), times()]).toEqual(['stopped at its limit of 2 turns; the files it left are kept', 1]);
  });
});

describe('tokens and cost', () => {
  it('replace those of the same turn, and add up over turns', () => {
    const { meter } = metered({ tokens: 100, cost: 1 });
    meter.use({ tokens: 30, cost: 0.1 });
    meter.use({ tokens: 40 });
    meter.endTurn({ tokens: 50, cost: 0.2 });
    meter.use({ tokens: 20 });
    expect(meter.left()).toEqual({ tokens: 30, cost: 0.8 });
    expect(meter.reached()).toBeUndefined();
    meter.use({ tokens: 60 });
    expect(meter.reached()).toBe('stopped at its limit of 100 tokens; the files it left are kept');
  });

  it('of a turn that reports nothing are unknown, not a reason to stop', () => {
    const { meter } = metered({ tokens: 100 });
    meter.endTurn(undefined);
    expect([meter.left(), spentLimit(meter)]).toEqual([{ tokens: 100 }, undefined]);
  });

  it('without a limit are not limited', () => {
    const { meter, take } = metered({});
    meter.use({ tokens: 1e12, cost: 1e9 });
    for (let turn = 0; turn < 1000; turn += 1) take('tool', 'tool-ended');
    expect([meter.left(), spentLimit(meter)]).toEqual([{}, undefined]);
  });
});

it('the tenth invalid result is the last, whichever turns they came in', () => {
  const { meter, times } = metered({});
  for (let result = 1; result < 10; result += 1) {
    meter.invalid();
    if (result % 4 === 0) meter.endTurn(undefined);
  }
  expect([meter.reached(), times()]).toEqual([undefined, 0]);
  meter.invalid();
  expect([meter.reached(), times()]).toEqual(['stopped after 10 invalid results; the files it left are kept', 1]);
});
