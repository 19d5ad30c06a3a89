import { describe, expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import type { Amendment } from '../../core/event/amendment.ts';
import { openCheckpoints, type RunState } from '../../core/state/state.ts';
import type { Plan } from '../../plan/plan.ts';
import { type CheckpointQuestion, checkpointQuestion } from './checkpoint-question.ts';
import { questionText, questionTexts } from './question-text.ts';

const escape = String.fromCodePoint(27);
const control = /[\p{Cc}--\n]/v;

function begun(plan: Plan): RunState {
  const state = happen(createdRun(plan, 4, true), { kind: 'run.started', command: 'a test' });
  advance(state);
  return state;
}

function asked(state: RunState): CheckpointQuestion {
  const [open] = openCheckpoints(state);
  if (open === undefined) throw new Error('nobody is asked');
  return checkpointQuestion(state, open);
}

/** A review of the first wave that has said HIGH before, and LOW now. */
function reviewed(): RunState {
  const plan = planOf([[{ id: '1.1' }, { id: '1.2' }], [{ id: '2.1' }]], {
    checkpoints: [{ afterWave: 1, why: `look ${escape}[2J at it` }],
  });
  const state = begun(plan);
  end(state, '1.1', 'completed', { files: ['src/a.ts'] });
  end(state, '1.2', 'completed', { files: [`src/${escape}b.ts`], degraded: ['recovered'] });
  advance(state);
  end(state, 'wave-1:review', 'completed', { verdict: { priority: 'HIGH', action: 'fix-it' } });
  advance(state);
  end(state, 'wave-1:fix', 'completed', { files: ['src/c.ts'] });
  advance(state);
  end(state, 'wave-1:review-2', 'completed', { verdict: { priority: 'LOW', action: 'none' } });
  advance(state);
  return state;
}

describe('what a person is asked', () => {
  it('has what was done, the files, what was found and fixed, and what is worth a look', () => {
    expect(asked(reviewed())).toEqual({
      checkpoint: 'checkpoint-1',
      kind: 'planned',
      why: `look ${escape}[2J at it`,
      approve: 'continue the run',
      reject: 'stop the run here',
      completed: ['1.1', '1.2'],
      files: ['src/a.ts', `src/${escape}b.ts`, 'src/c.ts'],
      issues: ['wave-1: fixed in 1 round'],
      concerns: ['1.2: recovered'],
      notes: [],
      claims: [],
      evidence: [],
      changes: [],
      otherwise: [],
    });
  });

  it('is shown in words that cannot steer a terminal, with both commands', () => {
    const text = questionText(asked(reviewed()), 'run_1', true);
    expect(text).toContain('checkpoint-1 needs you: look [2J at it');
    expect(text).toMatch(/\n {2}divisi approve run_1 +continue the run\n {2}divisi reject run_1 +stop the run here$/);
    expect(text).not.toMatch(control);
  });

  it('names the checkpoint where it is not the only one', () => {
    const text = questionText(asked(reviewed()), 'run_1', false);
    expect(text).toContain('\n  divisi approve run_1 --checkpoint checkpoint-1    continue the run\n');
    expect(text).toContain('\n  divisi reject run_1 --checkpoint checkpoint-1     stop the run here');
  });

  it('says once what several have in common', () => {
    const first = { ...asked(reviewed()), evidence: ['one'] };
    const second = { ...first, checkpoint: 'checkpoint-2', evidence: ['two'] };
    const other = { ...second, checkpoint: 'checkpoint-3', completed: ['9.9'] };
    const lines = questionTexts([first, second, other], 'run_1').join('\n').split('\n');
    expect(lines.filter((line) => /^(?:so far|checkpoint|  (?:completed|evidence))/.test(line))).toEqual([
      'so far:',
      '  completed: 1.1, 1.2',
      'checkpoint-1 needs you: look [2J at it',
      '  evidence: one',
      'checkpoint-2 needs you: look [2J at it',
      '  evidence: two',
      'so far:',
      '  completed: 9.9',
      'checkpoint-3 needs you: look [2J at it',
      '  evidence: two',
    ]);
    expect(lines).toContain('  divisi approve run_1 --checkpoint checkpoint-2    continue the run');
  });

  it('says how much of a long list is not shown', () => {
    const many = (word: string): string[] => Array.from({ length: 23 }, (_, at) => `${word}${at + 1}`);
    const lists = {
      completed: many('a'),
      files: many('b'),
      issues: many('c'),
      concerns: many('d'),
      changes: many('e'),
    };
    const lines = questionText({ ...asked(reviewed()), ...lists }, 'run_1', true).split('\n');
    expect(lines[1]).toMatch(/^ {2}completed: a1, .*, a20 and 3 more$/);
    expect(lines[2]).toMatch(/^ {2}files: b1, .*, b20 and 3 more$/);
    for (const [word, last] of [
      ['review', 'c20'],
      ['concern', 'd20'],
      ['change', 'e20'],
    ]) {
      const shown = lines.filter((line) => line.startsWith(`  ${word}: `));
      expect(shown.slice(-2)).toEqual([`  ${word}: ${last}`, `  ${word}: and 3 more`]);
      expect(shown).toHaveLength(21);
    }
  });

  it.each([
    ['unclear', /^retry/],
    ['environment', /^retry/],
    ['contract-violation', /^accept the work as done/],
  ] as const)('of a failure (%s): what a yes means', (kind, approve) => {
    const state = begun(planOf([[{ id: '1.1' }]]));
    end(state, '1.1', 'blocked', { report: 'said.md', failure: { class: kind, message: 'no' } });
    advance(state);
    const { kind: of, why, approve: yes, reject, concerns } = asked(state);
    expect({ of, why }).toEqual({ of: 'failure', why: `1.1: ${kind}: no` });
    expect(yes).toMatch(approve);
    expect(reject).toMatch(/^leave it failed, skip its dependents/);
    expect(concerns).toHaveLength(1);
  });

  it('offers to accept work only where there is some', () => {
    const offered = (left: object): string => {
      const state = begun(planOf([[{ id: '1.1' }]]));
      end(state, '1.1', 'blocked', { ...left, failure: { class: 'contract-violation', message: 'no' } });
      advance(state);
      return asked(state).approve;
    };
    expect(offered({})).toMatch(/^retry/);
    expect(offered({ left: [] })).toMatch(/^retry/);
    expect(offered({ left: ['a.txt'] })).toMatch(/^accept/);
    expect(offered({ report: 'said.md' })).toMatch(/^accept/);
  });

  it.each(['context-full', 'refusal'] as const)('of a failure (%s): another vendor or a smaller task', (kind) => {
    const state = begun(planOf([[{ id: '1.1' }]]));
    end(state, '1.1', 'failed', { failure: { class: kind, message: 'no' } });
    advance(state);
    expect(asked(state).otherwise.join('; ')).toMatch(/split 1\.1 .*another vendor/);
  });

  it.each([
    ['unclear', /^retry all of them/, 0],
    ['contract-violation', /^accept the work of all of them as done/, 4],
  ] as const)('of the circuit breaker (%s): what a yes means', (kind, approve, others) => {
    const state = begun(planOf([[{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }]]));
    for (const id of state.tasks.keys())
      end(state, id, 'blocked', { report: 'said.md', failure: { class: kind, message: 'no' } });
    advance(state);
    const question = asked(state);
    expect(question.kind).toBe('breaker');
    expect(question.approve).toMatch(approve);
    expect(question.otherwise).toHaveLength(others);
  });

  it('of a budget that is used up: more of it, or the end of the run', () => {
    const state = begun(planOf([[{ id: '1.1' }, { id: '1.2' }]], { settings: { budgets: { delegations: 1 } } }));
    end(state, '1.1', 'completed');
    advance(state);
    expect(asked(state)).toMatchObject({
      kind: 'budget',
      why: 'the budget of 1 delegations is used up',
      approve: 'grant the same budget again',
      reject: 'stop the run here',
    });
  });
});

describe('what a person is asked about a review', () => {
  const verdicts = (state: RunState, gate: string, priority: 'HIGH' | undefined): void => {
    for (let round = 1; round <= 3 && openCheckpoints(state).length === 0; round += 1) {
      const suffix = round === 1 ? '' : `-${round}`;
      const verdict = priority === undefined ? {} : { verdict: { priority, action: 'fix-it' } };
      end(state, `${gate}:review${suffix}`, priority === undefined ? 'blocked' : 'completed', verdict);
      advance(state);
      if (openCheckpoints(state).length > 0) return;
      end(state, `${gate}:fix${suffix}`, 'completed', { files: ['src/fixed.ts'] });
      advance(state);
    }
  };

  function worked(): RunState {
    const state = begun(planOf([[{ id: '1.1' }], [{ id: '2.1' }]]));
    end(state, '1.1', 'completed', { files: ['src/a.ts'] });
    advance(state);
    return state;
  }

  function atTheEnd(): RunState {
    const state = worked();
    const low = { verdict: { priority: 'LOW', action: 'none' } } as const;
    end(state, 'wave-1:review', 'completed', low);
    advance(state);
    end(state, '2.1', 'completed', { files: ['src/b.ts'] });
    advance(state);
    end(state, 'wave-2:review', 'completed', low);
    advance(state);
    return state;
  }

  it('that still says HIGH: a no has it fixed in as many rounds again', () => {
    const state = worked();
    verdicts(state, 'wave-1', 'HIGH');
    expect(asked(state)).toMatchObject({
      kind: 'review',
      reject: 'fix and review again, at most 3 rounds (--note TEXT says how)',
      completed: ['1.1'],
    });
  });

  it('without a verdict: there is nothing to fix, a no asks for a review again', () => {
    const state = worked();
    verdicts(state, 'wave-1', undefined);
    expect(asked(state)).toMatchObject({
      kind: 'review',
      reject: 'review again (--note TEXT instructs the reviewer)',
    });
  });

  it('of the whole run: all that was done in it', () => {
    const state = atTheEnd();
    verdicts(state, 'final', 'HIGH');
    expect(asked(state)).toMatchObject({
      kind: 'review',
      completed: ['1.1', '2.1'],
      files: ['src/a.ts', 'src/b.ts', 'src/fixed.ts'],
    });
  });

  it('of what was there before: a no has it audited again', () => {
    const state = worked();
    happen(state, { kind: 'run.paused', reason: 'a test', for: 'stop' });
    happen(state, { kind: 'run.started', command: 'a test', audit: true });
    advance(state);
    verdicts(state, 'audit', 'HIGH');
    expect(asked(state)).toMatchObject({ kind: 'review', reject: 'audit again', completed: ['1.1'] });
  });
});

describe('what a person is asked about an edit', () => {
  it('shows what would change', () => {
    const state = begun(planOf([[{ id: '1.1' }], [{ id: '2.1' }]]));
    const amendments: Amendment[] = [{ kind: 'tick', task: '2.1' }];
    happen(state, { kind: 'checkpoint.opened', checkpoint: 'checkpoint-1', type: 'edit', why: 'edited', amendments });
    const question = asked(state);
    expect(question.changes).toEqual(['2.1 marked done by you']);
    const text = questionText(question, 'run_1', true);
    expect(text).toContain('\n  change: 2.1 marked done by you\n');
    // The next edit takes its place: what was read here must not answer that.
    expect(text).toContain('\n  divisi approve run_1 --checkpoint checkpoint-1 ');
    expect(text).toContain('\n  divisi reject run_1 --checkpoint checkpoint-1 ');
  });
});
