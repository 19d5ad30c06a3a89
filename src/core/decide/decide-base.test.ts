/** Commands are checked at the base beside the agents; work waits for the answer, and a red command of the config for a person. */
import { describe, expect, it } from 'vitest';
import { checkBase, createdRunOf, startedRunOf, stepsOf, verify } from '../../../tests/support/settling.ts';
import { advance, end, happen } from '../../../tests/support/state-of.ts';
import type { BaseCheck } from '../event/base-check.ts';
import { openCheckpoints, type RunState } from '../state/state.ts';
import { decide } from './decide.ts';

const accept = [['npm', 'test']];
const red: Partial<BaseCheck> = { result: 'red', end: 'exit code 1', cause: 'Error: no', errors: ['Error: no'] };
const task = { id: '1.1', accept: ['npm run lint'] };

const purposes = (state: RunState): string[] => stepsOf(state).map(({ purpose }) => purpose);
const questions = (state: RunState): string[] => openCheckpoints(state).map(({ kind }) => kind);

/** The work of its one task waits to be verified. */
function returned(more: Parameters<typeof startedRunOf>[1] = {}): RunState {
  const state = startedRunOf([[task], [{ id: '2.1' }]], { workspace: { accept }, ...more });
  end(state, '1.1', 'completed');
  return state;
}

function answer(state: RunState, approved: boolean): RunState {
  const [open] = openCheckpoints(state);
  if (open === undefined) throw new Error('nobody was asked');
  happen(state, { kind: 'checkpoint.answered', checkpoint: open.id, approved, by: 'person' });
  return state;
}

describe('the canary', () => {
  it('begins with the first delegation that needs its answer, in the same round', () => {
    const state = happen(createdRunOf([[task]], { workspace: { accept } }), { kind: 'run.started', command: 'x' });
    happen(state, { kind: 'wave.started', wave: 1 });
    const decisions = decide(state).map((one) => (one.kind === 'step' ? one.step.purpose : one.kind));
    expect(decisions).toEqual(['delegate', 'canary', 'canary']);
  });

  it('is waited for before work is verified, and not repeated', () => {
    const state = returned();
    expect(purposes(state)).toEqual(['canary', 'canary']);
    checkBase(state);
    expect(stepsOf(state)).toMatchObject([{ purpose: 'verify', commands: [{ base: { result: 'green' } }, {}] }]);
  });

  it('is not flown in the checkout of a conducted run', () => {
    const state = returned({ workspace: { accept, kind: 'checkout' } });
    expect(purposes(state)).toEqual(['verify']);
  });

  it('asks nobody about a task’s own command', () => {
    const state = returned({ workspace: { accept: [] } });
    checkBase(state, red);
    advance(state);
    expect([questions(state), purposes(state)]).toEqual([[], ['verify']]);
  });
});

describe('a command of the config that is red at the base', () => {
  it('is asked about once, and nothing is verified or started before the answer', () => {
    const state = returned();
    checkBase(state, red);
    advance(state);
    expect([questions(state), purposes(state)]).toEqual([['base'], []]);
    expect(openCheckpoints(state)[0]?.why).toBe(
      'before any agent has worked, `npm test` fails (exit code 1: Error: no)',
    );
    answer(state, true);
    expect(questions(state)).toEqual([]);
    expect(stepsOf(state)).toMatchObject([{ purpose: 'verify', commands: [{ isKnownRed: true }, {}] }]);
    verify(state, '1.1');
    advance(state);
    expect(questions(state)).toEqual([]);
  });

  it('stops the run on a no, once the work that is left was judged; a new start asks again', () => {
    const state = returned();
    checkBase(state, red);
    advance(state);
    answer(state, false);
    expect(purposes(state)).toEqual(['verify']);
    verify(state, '1.1', { verdict: 'verified' }, null);
    advance(state);
    expect(state.status).toBe('cancelled');
    happen(state, { kind: 'run.started', command: 'x' });
    advance(state);
    expect(questions(state)).toEqual(['base']);
  });

  it('is rejected, and the run cancelled, where nobody is asked', () => {
    const state = happen(createdRunOf([[task]], { workspace: { accept } }), {
      kind: 'run.started',
      command: 'x',
      onTrouble: 'reject',
    });
    advance(state);
    end(state, '1.1', 'completed');
    checkBase(state, red);
    advance(state);
    verify(state, '1.1', {}, null);
    advance(state);
    expect(state.status).toBe('cancelled');
  });

  it('is asked about where a program is missing, too', () => {
    const state = returned();
    checkBase(state, { result: 'environment', end: 'exit code 127', missing: 'mocha' });
    advance(state);
    expect(openCheckpoints(state)[0]?.why).toContain('`npm test` cannot run in a room (exit code 127)');
  });
});
