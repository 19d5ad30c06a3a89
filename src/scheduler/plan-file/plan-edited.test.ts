/** An edit of the plan file is applied, asked about as a whole, withdrawn, or refused as a conflict. */
import { defined } from '../../base/defined.ts';
import { describe, expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf, type TaskWords } from '../../../tests/support/state-of.ts';
import { agentsByName } from '../../agents/registry.ts';
import { comparePlans } from '../../core/plan-edit/compare-plans.ts';
import { decide } from '../../core/decide/decide.ts';
import type { NewEvent } from '../../core/event/event.ts';
import { planOf as planOfRun } from '../../core/plan-edit/plan-of.ts';
import { openCheckpoints, type RunState } from '../../core/state/state.ts';
import type { Plan } from '../../plan/plan.ts';
import { planEdited } from './plan-edited.ts';
import { withTiers } from '../begin/plan-events.ts';
import type { PlanFound } from './plan-view.ts';
import { takeEdit } from '../take-happening.ts';

const begun: NewEvent = { kind: 'run.started', command: 'x' };
const two = [[{ id: '1.1' }], [{ id: '2.1' }, { id: '2.2', after: [{ task: '2.1' }] }]];

function runOf(waves: readonly (readonly TaskWords[])[]): { readonly state: RunState; readonly plan: Plan } {
  const plan = planOf(waves);
  const state = happen(createdRun(plan, 1, true), begun);
  advance(state);
  return { state, plan };
}

/** The file holds this plan now, and held the other one before. */
function edit(state: RunState, before: Plan, now: PlanFound['now']): NewEvent[] {
  const events: NewEvent[] = [];
  const edited = planEdited(state, { file: 'plan.md', hash: 'h', before, marks: new Map(), now }, agentsByName());
  takeEdit(state, edited, (event) => {
    events.push(event);
    happen(state, event);
  });
  return events;
}

const conflictsOf = (events: readonly NewEvent[]): readonly string[] =>
  events.flatMap((event) => (event.kind === 'plan.changed' ? event.conflicts : []));
const kindsOf = (events: readonly NewEvent[]): string[] => events.map(({ kind }) => kind);

function changed(plan: Plan, id: string, change: Partial<Plan['waves'][number]['tasks'][number]>): Plan {
  const waves = plan.waves.map((wave) => ({
    ...wave,
    tasks: wave.tasks.map((task) => (task.id === id ? { ...task, ...change } : task)),
  }));
  return { ...plan, waves };
}

it('a plan that says what the run knows is not an edit', () => {
  const words = { id: '1.1', scope: ['src'], forbidden: ['src/b', 'src/a'], accept: ['`npm test`'] };
  const { state, plan } = runOf([[{ ...words, review: 'fast', budgets: { minutes: 5 } }]]);
  expect(comparePlans(planOfRun(state, new Map(), plan.settings), plan)).toEqual([]);
});

describe('tiers that come from agents', () => {
  const agents = agentsByName([{ name: 'thinker', tier: 'deep', instructions: 'Think.', file: 'thinker.md' }]);
  const written = planOf([[{ id: '1.1' }], [{ id: '2.1', agent: 'thinker' }]]);
  const run = (): RunState => happen(createdRun(withTiers(written, agents), 1, true), begun);
  const found = (now: Plan, before?: Plan): PlanFound => {
    return { file: 'plan.md', hash: 'h', marks: new Map(), now, ...defined({ before }) };
  };

  it.each([
    ['than the run knows', undefined],
    ['than the file said before', written],
  ])('are no other %s', (_, before) => {
    const state = run();
    expect(Array.from(state.tasks.values(), ({ tier }) => tier)).toEqual(['standard', 'deep']);
    const { amendments, toConfirm, conflicts } = planEdited(state, found(written, before), agents);
    expect([amendments, toConfirm, conflicts]).toEqual([[], [], []]);
  });

  it('come along with another agent, and give way to what the plan says', () => {
    const tiers = [changed(written, '1.1', { agent: 'thinker' }), changed(written, '2.1', { tier: 'fast' })].map(
      (now) =>
        planEdited(run(), found(now, written), agents).amendments.map((one) => one.kind === 'change' && one.task.tier),
    );
    expect(tiers).toEqual([['deep'], ['fast']]);
  });
});

describe('an edit that needs no agreement', () => {
  it('is applied at once', () => {
    const { state, plan } = runOf(two);
    const events = edit(state, plan, changed(plan, '2.1', { title: 'Better' }));
    expect(kindsOf(events)).toEqual(['plan.changed', 'plan.amended']);
    expect([state.tasks.get('2.1')?.planned.title, conflictsOf(events)]).toEqual(['Better', []]);
  });

  it('removes a task that nothing is asked of', () => {
    const { state, plan } = runOf(two);
    const waves = plan.waves.map((wave) => ({ ...wave, tasks: wave.tasks.filter(({ id }) => id !== '2.2') }));
    expect(kindsOf(edit(state, plan, { ...plan, waves }))).toEqual(['plan.changed', 'plan.amended']);
  });

  it('is refused as a whole when what is left of it makes no plan', () => {
    const { state, plan } = runOf([[{ id: '1.1' }, { id: '1.2', after: [{ task: '1.1' }] }]]);
    const renamed = changed(plan, '1.1', { id: '1.9' });
    const events = edit(state, plan, changed(renamed, '1.2', { title: 'Better', after: [{ task: '1.9' }] }));
    expect(kindsOf(events)).toEqual(['plan.changed']);
    expect(conflictsOf(events)).toEqual([
      '1.1 is in progress; it keeps its id for this run',
      'the rest of the edit does not make a valid plan: 1.2 waits for 1.9, which is not in the plan',
    ]);
    expect(state.tasks.get('1.2')?.planned).toMatchObject({ title: 'Task 1.2', after: [{ task: '1.1' }] });
  });

  it('has no place for a wave between others, nor for its tasks or what waits for them', () => {
    const plan = planOf([[{ id: '1.1' }], [{ id: '2.1' }]]);
    const [first, second] = plan.waves.map((wave) => ({ ...wave, number: wave.number * 10 }));
    const tens = happen(createdRun({ ...plan, waves: [first, second] } as Plan, 1, true), begun);
    const between = { ...first, number: 15, tasks: [{ ...first?.tasks[0], id: '1.5' }] };
    const after = { ...second, tasks: [{ ...second?.tasks[0], after: [{ wave: 15 }] }] };
    const events = edit(
      tens,
      { ...plan, waves: [first, second] } as Plan,
      { ...plan, waves: [first, between, after] } as Plan,
    );
    expect(kindsOf(events)).toEqual(['plan.changed']);
    expect(conflictsOf(events)).toEqual([
      'wave 15 was inserted between others; this run adds waves at its end',
      'its wave is not in this run',
      'the rest of the edit does not make a valid plan: 2.1 depends on a wave that is not in the run',
    ]);
  });

  it('says what is too late', () => {
    const { state, plan } = runOf(two);
    expect(conflictsOf(edit(state, plan, changed(plan, '1.1', { title: 'Late' })))).toEqual([
      '1.1 is running; the change does not apply to this run',
    ]);
  });
});

describe('an edit that a person has to agree to', () => {
  const asks = (state: RunState): (string | undefined)[] => openCheckpoints(state).map(({ id, why }) => `${id} ${why}`);

  it.each([
    ['acceptance', { accept: ['it works'] }],
    ['scope', { scope: ['src'] }],
    ['what is forbidden', { forbidden: ['src/x'] }],
    ['its own review', { review: 'fast' as const }],
    ['a tick', { mark: 'x' as const }],
  ])('changes %s', (_what, change) => {
    const { state, plan } = runOf(two);
    expect(kindsOf(edit(state, plan, changed(plan, '2.1', change)))).toEqual(['plan.changed', 'checkpoint.opened']);
    expect(state.tasks.get('2.1')).toMatchObject({
      planned: { accept: [], scope: [] },
      progress: { status: 'pending' },
    });
  });

  it('changes a task whose acceptance it was refused before: the file still shows that', () => {
    const { state, plan } = runOf([[{ id: '1.1' }], [{ id: '2.1', accept: ['v1'] }]]);
    const refused = changed(plan, '2.1', { accept: ['v2'] });
    edit(state, plan, refused);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: false, by: 'person' });
    const reworded = changed(refused, '2.1', { title: 'Better' });
    expect(kindsOf(edit(state, refused, reworded))).toEqual(['plan.changed', 'checkpoint.opened']);
    expect(state.tasks.get('2.1')?.planned).toMatchObject({ title: 'Task 2.1', accept: ['v1'] });
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-2', approved: false, by: 'person' });
    expect(kindsOf(edit(state, reworded, changed(plan, '2.1', { title: 'Better' })))).toEqual([
      'plan.changed',
      'plan.amended',
    ]);
  });

  it.each([
    ['acceptance', { accept: ['it works'] }],
    ['a scope', { scope: ['src'] }],
    ['something forbidden', { forbidden: ['src/x'] }],
    ['a review of its own', { review: 'fast' as const }],
  ])('removes a task with %s, also where another takes its place', (_what, words) => {
    const { state, plan } = runOf([[{ id: '1.1' }], [{ id: '2.1', ...words }, { id: '2.2' }]]);
    const replaced = changed(plan, '2.1', { id: '2.1b', accept: [], scope: [] });
    const bare = changed(replaced, '2.1b', { title: 'Without bounds', forbidden: [] });
    const { review: _review, ...task } = bare.waves[1]?.tasks[0] ?? {};
    const waves = [bare.waves[0], { ...bare.waves[1], tasks: [task, bare.waves[1]?.tasks[1]] }];
    expect(kindsOf(edit(state, plan, { ...plan, waves } as Plan))).toEqual(['plan.changed', 'checkpoint.opened']);
    expect([...state.tasks.keys()]).toEqual(['1.1', '2.1', '2.2']);
  });

  it('takes a checkpoint away, or another tier for a review', () => {
    const plan = planOf(two, { checkpoints: [{ afterWave: 1, why: 'look' }] });
    const state = happen(createdRun(plan, 1, true), begun);
    expect(kindsOf(edit(state, plan, { ...plan, checkpoints: [] }))).toEqual(['plan.changed', 'checkpoint.opened']);
    const [first, second] = plan.waves;
    const waves =
      first === undefined || second === undefined ? [] : [first, { ...second, reviewTier: 'fast' as const }];
    expect(kindsOf(edit(state, plan, { ...plan, waves }))).toContain('checkpoint.opened');
  });

  it('is asked about as a whole: half of it would be a circle', () => {
    const { state, plan } = runOf(two);
    const swapped = changed(changed(plan, '2.1', { after: [{ task: '2.2' }] }), '2.2', { after: [], accept: ['new'] });
    expect(kindsOf(edit(state, plan, swapped))).toEqual(['plan.changed', 'checkpoint.opened']);
    expect(state.tasks.get('2.1')?.planned.after).toEqual([]);
    const [question] = openCheckpoints(state);
    happen(state, { kind: 'checkpoint.answered', checkpoint: question?.id ?? '', approved: true, by: 'person' });
    advance(state);
    expect(state.tasks.get('2.1')?.planned.after).toEqual([{ task: '2.2' }]);
    expect(state.tasks.get('2.2')?.planned).toMatchObject({ after: [], accept: ['new'] });
  });

  it('gives way to a later one, which is about all that is not in the run', () => {
    const { state, plan } = runOf(two);
    const second = changed(plan, '2.1', { accept: ['v2'] });
    edit(state, plan, second);
    const third = changed(plan, '2.1', { accept: ['v3'] });
    expect(kindsOf(edit(state, second, third))).toEqual(['checkpoint.withdrawn', 'plan.changed', 'checkpoint.opened']);
    expect(asks(state)).toEqual(['checkpoint-2 the plan was edited: 2.1 changed']);
    expect(kindsOf(edit(state, third, plan))).toEqual(['checkpoint.withdrawn', 'plan.changed']);
    expect(asks(state)).toEqual([]);
  });

  it('is still asked about when the file is not a plan for a while', () => {
    const { state, plan } = runOf(two);
    const second = changed(plan, '2.1', { accept: ['v2'] });
    edit(state, plan, second);
    expect(kindsOf(edit(state, second, { fault: 'line 3: 1.1 is declared twice' }))).toEqual(['plan.changed']);
    expect(asks(state)).toEqual(['checkpoint-1 the plan was edited: 2.1 changed']);
    edit(state, second, changed(second, '2.2', { title: 'Better' }));
    expect(asks(state)).toEqual(['checkpoint-2 the plan was edited: 2.1 changed, 2.2 changed']);
  });

  it('holds the end of the wave until it is answered', () => {
    const { state, plan } = runOf([[{ id: '1.1' }]]);
    const [wave] = plan.waves;
    const added = { ...plan.waves[0]?.tasks[0], id: '1.2', title: 'New', accept: ['it is there'] };
    edit(state, plan, { ...plan, waves: [{ ...wave, tasks: [...(wave?.tasks ?? []), added] }] } as Plan);
    end(state, '1.1', 'completed');
    advance(state);
    expect([decide(state), state.waves[0]?.status]).toEqual([[], 'running']);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: true, by: 'person' });
    advance(state);
    expect(state.tasks.get('1.2')?.progress.status).toBe('running');
  });
});

describe('a tick', () => {
  it('counts for what has failed and is asked about, and takes the question away', () => {
    const { state, plan } = runOf([[{ id: '1.1' }, { id: '1.2' }]]);
    end(state, '1.1', 'failed', { failure: { class: 'environment', message: 'no tool' } });
    advance(state);
    expect(openCheckpoints(state).map(({ kind }) => kind)).toEqual(['failure']);
    edit(state, plan, changed(plan, '1.1', { mark: 'x' }));
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-2', approved: true, by: 'person' });
    advance(state);
    expect([state.tasks.get('1.1')?.progress, openCheckpoints(state)]).toEqual([{ status: 'completed' }, []]);
  });
});
