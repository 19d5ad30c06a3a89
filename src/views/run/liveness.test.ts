import { defined } from '../../base/defined.ts';
import { describe, expect, it } from 'vitest';
import { livenessOf, type ProcessLook, type ProcessSamples, watchOn } from './liveness.ts';

const second = 1000;
const minute = 60 * second;

/** A look each five seconds; each says the ticks used since the last one, and how many processes there are. */
function watched(...looks: readonly (readonly [ticks: number, processes: number])[]): ProcessSamples | undefined {
  let state: ProcessSamples | undefined;
  let ticks = 0;
  for (const [place, [more, number]] of looks.entries()) {
    ticks += more;
    const processes = Array.from({ length: number }, (_, at) => `${at}`);
    state = watchOn(state, { at: place * 5 * second, ticks, processes });
  }
  return state;
}

const often = (number: number, ticks: number, processes = 2): (readonly [number, number])[] =>
  Array.from({ length: number }, () => [ticks, processes] as const);

function state(looks: ProcessSamples | undefined, silence: number, hasProcess = true): string {
  const now = looks?.last.at ?? 0;
  const { state: word, evidence } = livenessOf({
    now,
    lastEvent: now - silence,
    hasProcess,
    ...defined({ watched: looks }),
  });
  return `${word}: ${evidence}`;
}

describe('liveness', () => {
  it('working: something came lately, whatever its processes do', () => {
    expect(state(undefined, 3 * second)).toBe('working: last message 3.0 s ago');
    expect(state(watched(...often(100, 0)), 59 * second)).toBe('working: last message 59 s ago');
  });

  it('waits: its client announced a retry, however long ago; a process that is gone waits for nothing', () => {
    const facts = { now: 10 * minute, lastEvent: 0, hasProcess: true, waits: '401, attempt 5 of 10' };
    expect(livenessOf(facts)).toEqual({ state: 'waits', evidence: '401, attempt 5 of 10' });
    const gone = watched([5, 2], [0, 0], [0, 0]);
    expect(livenessOf({ ...facts, ...defined({ watched: gone }) }).state).toBe('dead');
  });

  it('quiet: nothing came, and no one has looked long enough', () => {
    expect(state(undefined, 61 * second)).toBe('quiet: no message for 1 min 1 s');
    expect(state(watched([0, 1]), 5 * minute)).toBe(
      'quiet: no message for 5 min 0 s, its processes were sampled once, 1 process',
    );
    expect(state(watched(...often(24, 0)), 5 * minute)).toBe(
      'quiet: no message for 5 min 0 s, no processor time for 1 min 55 s, 2 processes',
    );
  });

  it('quiet: it uses the processor', () => {
    expect(state(watched(...often(50, 400)), 5 * minute)).toBe(
      'quiet: no message for 5 min 0 s, 80 % of a processor, 2 processes',
    );
  });

  it('quiet: its processes start and exit', () => {
    expect(state(watched(...often(50, 0), [0, 3]), 5 * minute)).toBe(
      'quiet: no message for 5 min 0 s, its processes start and exit, 3 processes',
    );
    expect(state(watched(...often(50, 0), [0, 1]), 5 * minute)).toBe(
      'quiet: no message for 5 min 0 s, its processes start and exit, 1 process',
    );
  });

  it('hung: two minutes of looking have seen nothing', () => {
    expect(state(watched(...often(25, 0)), 5 * minute)).toBe(
      'hung: no message for 5 min 0 s, no processor time for 2 min 0 s, 2 processes',
    );
    // What a program uses that only waits.
    expect(state(watched(...often(10, 3), [8, 2], ...often(20, 3)), 5 * minute)).toBe(
      'hung: no message for 5 min 0 s, next to no processor time for 2 min 30 s, 2 processes',
    );
  });

  it('hung is counted from the last time it was running, and from its last message', () => {
    expect(state(watched(...often(30, 0), [400, 2], ...often(23, 0)), 9 * minute)).toMatch(/^quiet: .* for 1 min 55 s/);
    expect(state(watched(...often(30, 0), [400, 2], ...often(24, 0)), 9 * minute)).toMatch(/^hung: .* for 2 min 0 s/);
    expect(state(watched(...often(100, 0)), 119 * second)).toMatch(/^quiet: .* for 1 min 59 s/);
  });

  it('a message takes it back', () => {
    const looks = watched(...often(25, 0));
    expect(state(looks, 5 * minute)).toMatch(/^hung/);
    expect(state(looks, 0)).toMatch(/^working/);
  });

  it('dead: two looks have found no process', () => {
    expect(state(watched(...often(40, 0), [0, 0]), 5 * minute)).toBe(
      'quiet: no message for 5 min 0 s, no process found',
    );
    expect(state(watched([0, 1], [0, 0], [0, 0]), 2 * minute)).toBe('dead: no process left, no message for 2 min 0 s');
    expect(state(watched([0, 0], [0, 1], [0, 0]), 2 * minute)).not.toMatch(/^dead/);
  });

  it('says what it cannot know', () => {
    expect(state(watched([0, 0], [0, 0]), 2 * minute, false)).toBe(
      'quiet: no message for 2 min 0 s, no process of its own',
    );
    const facts = { now: 2 * minute, lastEvent: 0, hasProcess: true, watched: 'unsupported' } as const;
    expect(livenessOf(facts)).toEqual({
      state: 'quiet',
      evidence: 'no message for 2 min 0 s; its processes are not visible from here',
    });
  });

  it('begins again when the clock was set back', () => {
    const look: ProcessLook = { at: -1, ticks: 5, processes: ['0'] };
    expect(watchOn(watched(...often(50, 0)), look)).toMatchObject({ since: -1, share: null });
  });
});
