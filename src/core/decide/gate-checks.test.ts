/** The acceptance commands of a wave, on its merged work: before anyone reviews it, and on exactly what is reviewed. */
import { describe, expect, it } from 'vitest';
import { checkBase, complete, merge, running, startedRunOf, stepsOf, verify } from '../../../tests/support/settling.ts';
import { advance, end, happen, outcomeOf, type TaskWords } from '../../../tests/support/state-of.ts';
import type { Gate } from '../state/gate.ts';
import type { RunState } from '../state/state.ts';
import type { CheckStep } from './steps.ts';

const test = ['npm', 'test'];
const lint = ['npm', 'run', 'lint'];

function stepOf(state: RunState): CheckStep {
  const [step, ...more] = stepsOf(state);
  if (step?.purpose !== 'check' || more.length > 0) throw new Error('there is nothing to check');
  return step;
}

/** All of them, or all but one. */
function check(state: RunState, failing = -1): RunState {
  const { gate, wave, commit, commands } = stepOf(state);
  const ran = commands.map(({ argv, from }, at) => {
    const ok = at !== failing;
    const end = ok ? 'exit code 0' : 'exit code 1';
    return { argv: [...argv], from, ok, end, milliseconds: 1, output: `checks/${at}.txt` };
  });
  happen(state, { kind: 'gate.checked', gate, wave, commit, commands: ran });
  advance(state);
  return state;
}

const gateOf = (state: RunState): Gate | undefined => state.gates.get('wave-1');

/** Its one task is on the branch. */
function merged(task: Partial<TaskWords> = {}, isConfirmed = true, accept: string[][] = [test]): RunState {
  return complete(startedRunOf([[{ id: '1.1', ...task }]], { workspace: { accept }, isConfirmed }), '1.1');
}

/** The process that drove it is gone. */
function loseReview(state: RunState): void {
  const [[delegation] = []] = state.active;
  if (delegation === undefined) throw new Error('nobody reviews');
  const outcome = outcomeOf('partial', { failure: { class: 'lost', message: 'gone' } });
  happen(state, { kind: 'delegation.ended', delegation, task: 'wave-1:review', end: 'lost', outcome });
}

describe('the commands', () => {
  it('are those of the config and of a plan that a person has seen, each once', () => {
    const accept = ['npm test', 'it reads well', 'run: npm run lint'];
    const known = merged({ accept });
    expect(stepOf(known)).toMatchObject({
      gate: 'wave-1',
      wave: 1,
      commit: 'merged-1.1',
      commands: [
        { argv: test, from: 'config' },
        { argv: lint, from: 'plan' },
      ],
    });
    expect(stepOf(merged({ accept }, false)).commands).toMatchObject([{ argv: test, from: 'config' }]);
    const unseen = merged({ accept }, false, []);
    expect([stepsOf(unseen), running(unseen)]).toEqual([[], ['wave-1:review']]);
  });

  it('are those that each attempt is verified with, too', () => {
    const state = startedRunOf([[{ id: '1.1', accept: ['npm run lint'] }]], { workspace: { accept: [test] } });
    end(state, '1.1', 'completed');
    checkBase(state);
    expect(stepsOf(state)).toMatchObject([{ purpose: 'verify', commands: [{ argv: test }, { argv: lint }] }]);
  });

  it('are those of what was done here, not of what failed or had been ticked before', () => {
    const state = startedRunOf([
      [
        { id: '1.1', accept: ['npm test'] },
        { id: '1.2', accept: ['npm run lint'], mark: 'x' },
        { id: '1.3', accept: ['make check'] },
      ],
    ]);
    end(state, '1.3', 'failed', { failure: { class: 'unclear', message: 'what is meant?' } });
    advance(state);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: false, by: 'person' });
    advance(state);
    complete(state, '1.1');
    expect(stepOf(state).commands.map(({ argv }) => argv)).toEqual([test]);
  });

  it('are not run where nothing was merged', () => {
    const state = startedRunOf([[{ id: '1.1', accept: ['npm test'] }]]);
    end(state, '1.1', 'completed');
    verify(state, '1.1', {}, null);
    advance(state);
    expect([stepsOf(state), running(state)]).toEqual([[], ['wave-1:review']]);
  });
});

describe('a wave', () => {
  it('is reviewed once they hold', () => {
    const state = merged();
    expect(running(state)).toEqual([]);
    check(state);
    expect([stepsOf(state), running(state)]).toEqual([[], ['wave-1:review']]);
    expect(gateOf(state)?.checked).toEqual({ commit: 'merged-1.1', commands: ['["npm","test"]'] });
  });

  it('ends once they hold where reviews are off; one that fails is fixed all the same', () => {
    const state = merged();
    Object.assign(state.created.settings, { reviews: 'off' });
    check(state, 0);
    expect(running(state)).toEqual(['wave-1:fix']);
    complete(state, 'wave-1:fix');
    check(state);
    expect([state.waves[0]?.status, state.status, running(state)]).toEqual(['completed', 'completed', []]);
  });

  it('is fixed first where they fail, and checked again on the new commit', () => {
    const state = check(merged(), 0);
    expect([running(state), state.waves[0]?.status, gateOf(state)?.report]).toEqual([
      ['wave-1:fix'],
      'fixing',
      'checks/0.txt',
    ]);
    expect(state.gateTasks.get('wave-1:fix')?.planned.description).toContain(
      'on the merged work `npm test` (exit code 1) failed',
    );
    complete(state, 'wave-1:fix');
    expect(stepOf(state)).toMatchObject({ commit: 'merged-wave-1:fix' });
    check(state);
    expect(running(state)).toEqual(['wave-1:review']);
  });

  it('is a question for a person after three rounds; each of them is a step of its own', () => {
    const state = merged();
    const keys: string[] = [];
    for (let round = 1; round <= 3; round += 1) {
      keys.push(stepOf(state).key);
      check(state, 0);
      if (!state.active.size) break;
      // A fixer that changes nothing leaves the branch where it is.
      end(state, `wave-1:fix${round === 1 ? '' : `-${round}`}`, 'completed');
      verify(state, `wave-1:fix${round === 1 ? '' : `-${round}`}`, {}, null);
      advance(state);
    }
    expect(state.checkpoints).toMatchObject([
      { kind: 'review', gate: 'wave-1', why: expect.stringContaining('after 3 rounds') as string },
    ]);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: false, by: 'person' });
    advance(state);
    end(state, 'wave-1:fix-3', 'completed');
    verify(state, 'wave-1:fix-3', {}, null);
    advance(state);
    keys.push(stepOf(state).key);
    expect([keys.length, new Set(keys).size]).toEqual([4, 4]);
  });

  it('passes on a person’s yes, although they do not hold', () => {
    const state = merged();
    for (const fix of ['wave-1:fix', 'wave-1:fix-2', '']) {
      check(state, 0);
      if (fix !== '') complete(state, fix);
    }
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: true, by: 'person' });
    advance(state);
    expect([state.waves[0]?.status, state.status]).toEqual(['completed', 'completed']);
  });

  const added = {
    title: 'New',
    description: 'New',
    after: [],
    scope: [],
    tier: 'fast',
    agent: 'worker',
    done: false,
  } as const;
  const adding = (accept: string[]): Parameters<typeof happen>[1] => ({
    kind: 'plan.amended',
    amendments: [{ kind: 'add', wave: 1, at: 1, task: { ...added, id: '1.2', after: [], scope: [], accept } }],
  });

  it('is checked again where a task has come with other commands, and its review is none of the old work', () => {
    const state = check(merged());
    loseReview(state);
    happen(state, adding(['npm run lint']));
    advance(state);
    // It was to look at what is not all there yet.
    expect([running(state), state.gateTasks.get('wave-1:review')?.progress.status]).toEqual([['1.2'], 'skipped']);
    end(state, '1.2', 'completed');
    verify(state, '1.2', {}, null);
    advance(state);
    expect(stepOf(state).commands.map(({ argv }) => argv)).toEqual([test, lint]);
    check(state);
    expect(running(state)).toEqual(['wave-1:review-2']);
  });

  it('is not reviewed where the branch is not where they have held', () => {
    const state = check(merged());
    loseReview(state);
    happen(state, { kind: 'work.drifted', head: 'moved', files: [] }, { kind: 'run.started', command: 'again' });
    advance(state);
    expect([running(state), state.gateTasks.get('wave-1:review')?.progress.status, gateOf(state)]).toMatchObject([
      [],
      'skipped',
      { status: 'due', round: 0 },
    ]);
    check(state);
    expect([running(state), gateOf(state)?.round]).toEqual([['wave-1:review-2'], 1]);
  });
});

it('says nothing about what a later merge has changed', () => {
  const state = startedRunOf([[{ id: '1.1' }], [{ id: '2.1' }]], { workspace: { accept: [test] } });
  complete(state, '1.1');
  check(state);
  end(state, 'wave-1:review', 'completed', { verdict: { priority: 'LOW', action: 'on' } });
  advance(state);
  end(state, '2.1', 'completed');
  verify(state, '2.1');
  advance(state);
  merge(state, 'm2');
  advance(state);
  expect(stepOf(state)).toMatchObject({ gate: 'wave-2', commit: 'm2' });
});
