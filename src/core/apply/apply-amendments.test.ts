/** Every amendment reported as applicable is applied: none is accepted first and refused later. */
import { describe, expect, it } from 'vitest';
import { startedRunOf } from '../../../tests/support/settling.ts';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import type { Amendment } from '../event/amendment.ts';
import { filterApplicable } from './apply-amendments.ts';
import type { RunState } from '../state/state.ts';

const tick = (task: string): Amendment => ({ kind: 'tick', task });
const rename = (from: string, to: string): Amendment => ({ kind: 'rename', from, to });
const remove = (task: string): Amendment => ({ kind: 'remove', task });

const adding = (id: string): Amendment => {
  const words = { title: 'New', description: 'New', tier: 'fast', agent: 'worker', done: false } as const;
  return { kind: 'add', wave: 1, at: 0, task: { ...words, id, after: [], scope: [], accept: [] } };
};

/** A person is asked about 1.1; 1.2 is running; 1.3 waits; 1.4 was done before. */
function asked(): RunState {
  const plan = planOf([
    [{ id: '1.1' }, { id: '1.2' }, { id: '1.3', after: [{ task: '1.2' }] }, { id: '1.4', mark: 'x' }],
  ]);
  const state = happen(createdRun(plan, 3, true), { kind: 'run.started', command: 'x' });
  advance(state);
  end(state, '1.1', 'failed', { failure: { class: 'unclear', message: 'what is meant?' } });
  advance(state);
  return state;
}

/** What can be taken over, and why the rest cannot; all of the former is taken over. */
function edit(state: RunState, ...amendments: readonly Amendment[]): [taken: readonly Amendment[], refused: string[]] {
  const refused: string[] = [];
  const taken = filterApplicable(state, amendments, (why) => refused.push(why));
  happen(state, { kind: 'plan.amended', amendments: [...taken] });
  return [taken, refused];
}

describe('a tick', () => {
  it('settles what a person is asked about, and its question with it', () => {
    const state = asked();
    expect(edit(state, tick('1.1'))).toEqual([[tick('1.1')], []]);
    expect([state.tasks.get('1.1')?.progress.status, state.checkpoints[0]?.status]).toEqual(['completed', 'replaced']);
  });

  it('of the same task a second time is refused, and the first one is taken', () => {
    const [taken, refused] = edit(asked(), tick('1.1'), tick('1.1'));
    expect([taken, refused]).toEqual([[tick('1.1')], ['1.1 is completed; ticking it changes nothing']]);
  });

  it('means the task that has the name by then', () => {
    // Another task has that name now: no question is about it.
    const state = asked();
    happen(state, { kind: 'plan.amended', amendments: [tick('1.1')] });
    const renamed = edit(state, rename('1.1', '1.9'), rename('1.3', '1.1'), tick('1.1'), tick('1.9'));
    expect(renamed).toEqual([
      [rename('1.1', '1.9'), rename('1.3', '1.1'), tick('1.1')],
      ['1.9 is completed; ticking it changes nothing'],
    ]);
    expect(state.tasks.get('1.1')).toMatchObject({ progress: { status: 'completed' }, planned: { title: 'Task 1.3' } });
  });

  it('of a name that was that of the one who is asked about is about who has it now', () => {
    const amendments = [tick('1.1'), rename('1.1', '1.9'), rename('1.4', '1.1'), tick('1.1')];
    expect(edit(asked(), ...amendments)).toEqual([
      amendments.slice(0, 3),
      ['1.1 is completed; ticking it changes nothing'],
    ]);
  });

  it('of a name that another has got in the same edit is about that one alone', () => {
    const state = asked();
    expect(edit(state, remove('1.3'), adding('1.3'), tick('1.3'), tick('1.3'))).toEqual([
      [remove('1.3'), adding('1.3'), tick('1.3')],
      ['1.3 is completed; ticking it changes nothing'],
    ]);
    expect(edit(state, adding('1.5'), remove('1.5'), tick('1.5'))[1]).toEqual(['there is no task 1.5 in this run']);
  });

  it('of a task that is running, verified or merged comes too late', () => {
    const state = startedRunOf([[{ id: '1.1' }, { id: '1.2' }]]);
    end(state, '1.1', 'completed');
    expect(edit(state, tick('1.1'), tick('1.2'), remove('1.1'), rename('1.1', '1.9'))[1]).toEqual([
      '1.1 is verifying; ticking it changes nothing',
      '1.2 is running; ticking it changes nothing',
      '1.1 is verifying; it stays in this run',
      '1.1 is in progress; it keeps its id for this run',
    ]);
  });
});
