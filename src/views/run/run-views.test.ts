import { describe, expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import { stamp } from '../../core/event/event.ts';
import type { RunState } from '../../core/state/state.ts';
import { shortDuration } from '../text/quantity.ts';
import { planChanges } from '../files/plan-changes.ts';
import { progressLines } from './progress-lines.ts';
import { stillRunning } from './still-running.ts';
import { type RunReport, runReport } from './run-report.ts';
import { statusText } from './status-text.ts';
import { summaryText } from './summary-text.ts';

const escape = String.fromCodePoint(27);
const control = /[\p{Cc}--\n]/v;

function halfway(): RunState {
  const plan = planOf([
    [
      { id: '1.1', scope: ['src'] },
      { id: '1.2', scope: ['src/a'] },
      { id: '1.3', after: [{ task: '1.4' }] },
      { id: '1.4', title: `red ${escape}[31m title` },
      { id: '1.5' },
    ],
    [{ id: '2.1' }],
  ]);
  const state = happen(createdRun(plan, 3), { kind: 'run.started', command: 'a test' });
  advance(state);
  end(state, '1.4', 'failed', {
    failure: { class: 'agent-error', message: `broke ${escape}]0;owned${String.fromCodePoint(7)}\nit` },
    report: 'reports/1.4.md',
    files: ['src/x.ts'],
  });
  advance(state);
  return state;
}

describe('where a run stands', () => {
  it('has a reason for every task that waits, and the registry of what runs', () => {
    const report = runReport(halfway());
    expect(report.counts).toEqual({ running: 2, pending: 2, skipped: 1, failed: 1 });
    expect(report.tasks.map(({ task, waiting, because }) => [task, waiting ?? because])).toEqual([
      ['1.1', undefined],
      ['1.2', { for: 'scope-lock', task: '1.1' }],
      ['1.3', '1.4'],
      ['1.4', undefined],
      ['1.5', undefined],
      ['2.1', { for: 'wave', wave: 2 }],
    ]);
    expect(report.delegations.map(({ task, depth, path }) => [task, depth, path.join(' → ')])).toEqual([
      ['1.1', 1, 'orchestrator → run → worker'],
      ['1.5', 1, 'orchestrator → run → worker'],
    ]);
    expect(report.files).toEqual(['src/x.ts']);
  });

  it('is shown in words that cannot steer a terminal', () => {
    const text = statusText(runReport(halfway()), 61_000);
    expect(text).toMatch(/1\.2 Task 1\.2 – pending: waiting for 1\.1 \(overlapping scope\)/);
    expect(text).toMatch(/1\.3 Task 1\.3 – skipped: 1\.4 did not complete/);
    expect(text).toMatch(/1\.4 red \[31m title – failed: broke/);
    expect(text).toMatch(/1\.1 by worker, orchestrator → run → worker, for 1 min 0 s/);
    expect(text).not.toMatch(control);
  });

  it('says of a long run only what is not as planned', () => {
    const tasks = Array.from({ length: 200 }, (_, at) => ({ id: `1.${at}` }));
    const state = happen(createdRun(planOf([tasks]), 1), { kind: 'run.started', command: 'a test' });
    advance(state);
    const lines = statusText(runReport(state), 0).split('\n');
    expect(lines.length).toBeLessThan(10);
    expect(lines.join('\n')).toContain('and 199 more');
  });
});

it('sums up what was done, what failed and why, and what to do next', () => {
  const state = halfway();
  end(state, '1.1', 'completed');
  end(state, '1.5', 'completed');
  advance(state);
  end(state, '1.2', 'completed');
  advance(state);
  end(state, '2.1', 'completed');
  advance(state);
  const text = summaryText(runReport(state), '.divisi/runs/x/reports');
  expect(text).toMatch(/failed\. 6 tasks: 4 completed, 1 skipped, 1 failed\./);
  expect(text).toContain('reports: .divisi/runs/x/reports');
  expect(text).toMatch(/next: divisi resume run_\w+ retries what did not complete/);
  expect(text).not.toMatch(control);
});

describe('what is printed about a run at rest', () => {
  const report = runReport(halfway());
  const finding = (at: number, isFixed: boolean): RunReport['findings'][number] => {
    return { id: `wave-${at}:review`, action: `tidy ${escape}[2J ${at}`, isFixed };
  };

  it('has what was deferred and is not fixed', () => {
    const text = summaryText({ ...report, findings: [finding(1, true), finding(2, false)] }, 'reports');
    expect(text).toContain('\ndeferred, not fixed: wave-2:review tidy [2J 2\n');
    expect(text).not.toContain('wave-1:review');
  });

  it('says how much more was deferred', () => {
    const findings = Array.from({ length: 15 }, (_, at) => finding(at, false));
    const more = `deferred, not fixed: and 3 more; divisi status ${report.run} --json has them all`;
    expect(summaryText({ ...report, findings }, 'reports').split('\n')).toContain(more);
  });

  it('says that all has been answered, and what is next', () => {
    const answered = { ...report, status: 'paused', reason: 'answered' } as const;
    const next = `answered; next: divisi resume ${report.run}`;
    for (const text of [summaryText(answered, 'reports'), statusText(answered, 0)]) {
      expect(text.split('\n').at(-1)).toBe(next);
      expect(text).not.toContain('(answered)');
    }
    expect(summaryText({ ...answered, reason: 'stopped' }, 'reports')).toMatch(/\nnext: divisi resume run_\w+$/);
  });

  it.each<[number, number | undefined, string]>([
    [1, undefined, '1 delegation'],
    [2, undefined, '2 delegations'],
    [1, 3, '1 of 3 delegations'],
    [0, 1, '0 of 1 delegation'],
  ])('counts what was spent: %j of %j', (delegations, budget, words) => {
    const spent = { ...report.spent, delegations, silent: 1, tokens: 5 };
    const text = statusText({ ...report, spent, budgets: budget === undefined ? {} : { delegations: budget } }, 0);
    expect(text).toContain(`\nspent: ${words}, `);
    expect(text).toContain(', 1 delegation reported no usage\n');
  });
});

it('shows in the plan what each task has come to', () => {
  const changes = planChanges(halfway(), ['a line']);
  expect([...changes.marks]).toEqual([
    ['1.1', '~'],
    ['1.2', ' '],
    ['1.3', ' '],
    ['1.4', '!'],
    ['1.5', '~'],
    ['2.1', ' '],
  ]);
  expect([...changes.reports]).toEqual([['1.4', 'reports/1.4.md']]);
  expect(changes).toMatchObject({ log: ['a line'], files: ['src/x.ts'], state: 'inprogress' });
});

it('marks what the circuit breaker asks about as failed, and calls it undecided everywhere', () => {
  const state = happen(createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }]]), 3, true), {
    kind: 'run.started',
    command: 'a test',
  });
  advance(state);
  for (const id of state.tasks.keys()) end(state, id, 'blocked', { failure: { class: 'unclear', message: 'no' } });
  advance(state);
  expect([...planChanges(state, []).marks.values()]).toEqual(['!', '!', '!']);
  const text = statusText(runReport(state), 0);
  expect(text).toContain('3 tasks: 3 undecided');
  expect(text.match(/^ {2}\[!\] 1\.\d .* – undecided: waiting for you/gm)).toHaveLength(3);
});

it('has a line for what people want to know as it happens', () => {
  const state = createdRun(planOf([[{ id: '1.1' }]]));
  const lines = progressLines();
  const say = (...[event]: Parameters<typeof stamp>): string | undefined => {
    happen(state, event);
    return lines(stamp(event, 3000), state);
  };
  expect(say({ kind: 'run.started', command: 'x' }, 0)).toMatch(/A plan: 1 wave, 1 task, 2 at a time, driver command/);
  advance(state);
  const [active] = state.active.values();
  if (active === undefined) throw new Error('nothing runs');
  const { registered } = active;
  expect(lines(registered, state)).toBe('  1.1 started: Task 1.1');
  const { delegation, task } = registered;
  expect(say({ kind: 'return.refused', delegation, repair: 1, violations: [`x ${escape}[2J`] }, 0)).toBe(
    '  1.1 return not accepted, repair 1 of 2: x [2J',
  );
  const outcome = { status: 'completed' as const, summary: 'fine', files: [], repairs: 1, degraded: ['recovered'] };
  expect(say({ kind: 'delegation.ended', delegation, task, end: 'returned', outcome }, 0)).toBe(
    '  1.1 completed in 2.0 s, after 1 repair, recovered: fine',
  );
});

it('says what runs while nothing happens', () => {
  const state = halfway();
  expect(stillRunning(state, 61_000)).toBe('  still running: 1.1 for 1 min 0 s, 1.5 for 1 min 0 s');
  const seen = { state: 'hung', evidence: 'no message for 4 min 0 s' } as const;
  const [first] = state.active.keys();
  expect(stillRunning(state, 61_000, (delegation) => (delegation === first ? seen : undefined))).toBe(
    '  still running: 1.1 for 1 min 0 s (hung: no message for 4 min 0 s), 1.5 for 1 min 0 s',
  );
  expect(stillRunning(createdRun(planOf([[{ id: '1.1' }]])), 0)).toBeUndefined();
});

it.each([
  [-5, '0 ms'],
  [999, '999 ms'],
  [1500, '1.5 s'],
  [59_400, '59 s'],
  [61_000, '1 min 1 s'],
  [7_260_000, '2 h 1 min'],
])('%d milliseconds are %s', (milliseconds, words) => {
  expect(shortDuration(milliseconds)).toBe(words);
});
