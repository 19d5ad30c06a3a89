/** What follows from a failed worker, and what the words of a resume mean. */
import { describe, expect, it } from 'vitest';
import { agentsByName } from '../../../src/agents/registry.ts';
import type { FailureClass } from '../../../src/gates/failure-policy.ts';
import { resumeWords } from '../../../src/project/resume-words.ts';
import { type BranchReader, type ResumeDeps, resumeWork } from '../../../src/scheduler/resume/resume-work.ts';
import { planState } from '../../../src/views/files/plan-changes.ts';
import { taskMark } from '../../../src/views/run/task-report.ts';
import type { TaskState } from '../../../src/core/state/task-state.ts';
import { type ScriptedRun, type Script, scriptedRun } from '../../support/scripted-run.ts';
import { planOf } from '../../support/state-of.ts';

const low = { verdict: { priority: 'LOW', action: 'nothing-to-do' } } as const;
const failing = (kind: FailureClass): ReturnType<Script> => ({
  failure: { class: kind, message: 'it does not work' },
  ...(kind === 'lost' ? { end: kind } : {}),
});

const tasks = [{ id: '1.1', tier: 'fast' as const }, { id: '1.2', after: [{ task: '1.1' }] }, { id: '1.3' }];

/** Task 1.1 fails in every attempt; the rest works. `seen` is its mark at the start of each attempt. */
function failingRun(kind: FailureClass, times = Infinity): { run: ScriptedRun; seen: string[]; tiers: string[] } {
  const [seen, tiers]: [string[], string[]] = [[], []];
  const script: Script = ({ task, registered }) => {
    if (task.id !== '1.1') return task.id.includes('review') ? low : {};
    seen.push(taskMark(run.state(), run.state().tasks.get('1.1') as TaskState));
    tiers.push(registered.tier);
    return tiers.length > times ? {} : failing(kind);
  };
  const run = scriptedRun(planOf([tasks]), script);
  return { run, seen, tiers };
}

const statusOf = (run: ScriptedRun, id: string): string | undefined => run.state().tasks.get(id)?.progress.status;

describe('Failure Handling', () => {
  it('escalates to the next tier, marks the task [^], and completes it there', async () => {
    const { run, seen, tiers } = failingRun('agent-error', 1);
    expect((await run.work()).status).toBe('completed');
    expect({ seen, tiers }).toEqual({ seen: ['~', '^'], tiers: ['fast', 'standard'] });
  });

  it('where nothing stronger is left it pauses and asks; independent work goes on', async () => {
    const { run, tiers } = failingRun('agent-error');
    const state = await run.work();
    expect(tiers).toEqual(['fast', 'standard', 'deep']);
    expect(state.checkpoints.map(({ kind, status }) => `${kind} ${status}`)).toEqual(['failure open']);
    expect([state.status, statusOf(run, '1.3')]).toEqual(['paused', 'completed']);
    expect(taskMark(state, state.tasks.get('1.1') as TaskState)).toBe('!');
  });
});

describe('Error Recovery', () => {
  it.each([
    // Only failures that a stronger model can fix are escalated at once: a time-out gets one more try, with what is on disk.
    ['timeout', ['fast', 'fast', 'standard', 'standard', 'deep', 'deep']],
    // A crash of the agent's own program: it has failed. One that is gone with its machine is retried from what is on disk.
    ['agent-error', ['fast', 'standard', 'deep']],
    ['lost', ['fast', 'fast', 'fast', 'fast']],
    ['unclear', ['fast']],
    ['environment', ['fast']],
  ] as const)('%s: tried at %j, then a person is asked', async (kind, expected) => {
    const { run, tiers } = failingRun(kind);
    expect((await run.work()).status).toBe('paused');
    expect(tiers).toEqual(expected);
  });

  it('a dependency that fails skips its dependents; the others are completed', async () => {
    const { run } = failingRun('unclear');
    await run.work();
    run.answer({ approved: false });
    const state = await run.work();
    expect([state.status, statusOf(run, '1.2'), statusOf(run, '1.3')]).toEqual(['failed', 'skipped', 'completed']);
  });

  // The document's trivial and complex issues are the priorities of the audit: MED is fixed, HIGH is for a person.
  it.each([
    ['MED', 'completed', ['audit:review', 'audit:fix']],
    ['HIGH', 'paused', ['audit:review']],
  ] as const)('an audit that says %s: %s', async (priority, status, expected) => {
    const run = scriptedRun(
      planOf([[{ id: '1.1' }]], { checkpoints: [{ afterWave: 1, why: '' }] }),
      ({ task: { id } }) =>
        id === 'audit:review' ? { verdict: { priority, action: 'tidy-up' } } : id.includes('review') ? low : {},
    );
    await run.work();
    run.answer({ approved: true });
    const before = run.activities.length;
    const state = await run.work({ start: { audit: true } });
    const ids = run.activities.slice(before).map(({ task }) => task.id);
    expect(ids.slice(0, expected.length)).toEqual(expected);
    expect([state.status, ids.includes('audit:fix')]).toEqual([status, priority === 'MED']);
  });

  it('an aborted run leaves its plan paused', () => {
    expect([planState('paused'), planState('running'), planState('completed')]).toEqual([
      'paused',
      'inprogress',
      'completed',
    ]);
  });
});

describe('Resume Protocol', () => {
  const plain = { skipFailed: false, audit: false };

  it.each([
    ['resume', plain],
    ['resume from wave 3', { ...plain, from: { wave: 3 } }],
    ['resume from task 2.3', { ...plain, from: { task: '2.3' } }],
    ['resume, skip failed tasks', { ...plain, skipFailed: true }],
  ])('%s', (words, request) => {
    expect(resumeWords([words])).toEqual(request);
  });

  it('re-reads the dependencies: what is missing before the place to start is named, and nothing is started', async () => {
    const { run } = failingRun('unclear');
    await run.work();
    const unused = (): never => expect.unreachable();
    const deps: ResumeDeps = {
      project: '',
      agents: agentsByName([]),
      branch: { head: unused, countSince: unused } as unknown as BranchReader,
      verifyAgain: unused,
      keys: unused,
      record: unused,
    };
    await expect(resumeWork(run.state(), { ...deps, from: { task: '1.2' } })).rejects.toMatchObject({
      code: 'RESUME_NOT_READY',
      message: 'earlier work has not completed: 1.1 (ended)',
    });
  });

  it('validating completed work is an option', () => {
    expect(resumeWords(['resume'], { audit: true })).toEqual({ ...plain, audit: true });
  });
});
