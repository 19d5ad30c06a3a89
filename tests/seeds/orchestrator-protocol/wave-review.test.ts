/** The review after each wave and of single tasks: who reviews, what a verdict is, and what follows from it. */
import { describe, expect, it } from 'vitest';
import { agentsByName } from '../../../src/agents/registry.ts';
import { findContract, contractsByName } from '../../../src/contracts/registry.ts';
import { read } from '../../../src/contracts/read/read.ts';
import { contractFor } from '../../../src/core/attempt/return-check.ts';
import { loadPlan } from '../../../src/plan/parse-plan.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { withTiers } from '../../../src/scheduler/begin/plan-events.ts';
import { driverTask } from '../../../src/scheduler/perform/driver-task.ts';
import { planRun } from '../../../src/runtime/plans/plan-run.ts';
import { type Script, scriptedRun } from '../../support/scripted-run.ts';
import { planOf } from '../../support/state-of.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();
const contracts = contractsByName();
const slug = '.swarm/reports/fix-ts';

const agents = agentsByName([
  { name: 'swarm-reviewer-opus', instructions: 'Review.', file: '.divisi/agents/swarm-reviewer-opus.md' },
  { name: 'security-lead', instructions: 'Review.', file: 'a.md', contract: 'code-reviewer', tier: 'standard' },
]);

const planned = (line: string): Plan =>
  withTiers(
    loadPlan(`# P\n\n## Wave 1: A\n\n${line}\n\n- [ ] 1.1 Do it\n\n## Wave 2: B\n\n- [ ] 2.1 More\n`, 'p.md').plan,
    agents,
  );

const low = { verdict: { priority: 'LOW', action: 'nothing-to-do' } } as const;

async function reviewers(plan: Plan, script: Script = () => low): Promise<string[]> {
  const run = scriptedRun(plan, (activity) => (activity.task.id.includes('review') ? script(activity) : {}));
  await run.work();
  return run.activities.flatMap(({ task, registered }) =>
    task.id.includes('review') ? [`${task.id} ${task.agent} ${registered.tier}`] : [],
  );
}

describe('MANDATORY Wave Review (Ultrathink)', () => {
  it('every wave is reviewed at the strongest tier, and the whole at the end', async () => {
    expect(await reviewers(planned(''))).toEqual([
      'wave-1:review wave-reviewer deep',
      'wave-2:review wave-reviewer deep',
      'final:review wave-reviewer deep',
    ]);
  });

  it.each([
    ['Review: ultrathink', 'wave-reviewer deep'],
    ['Review: haiku', 'wave-reviewer fast'],
    // No file describes it: the tier in its name.
    ['Review: swarm-reviewer-ultrathink', 'wave-reviewer deep'],
    ['Review: swarm-reviewer-opus', 'swarm-reviewer-opus deep'],
    ['Reviewer: `swarm-reviewer-opus` (fast)', 'swarm-reviewer-opus fast'],
    ['Reviewer: security-lead', 'security-lead standard'],
    // The outcome of an earlier review.
    ['Review: fix-imports', 'wave-reviewer deep'],
  ])('%s: %s', async (line, reviewer) => {
    expect((await reviewers(planned(line)))[0]).toBe(`wave-1:review ${reviewer}`);
  });

  it('a named reviewer that no file describes is refused', async () => {
    const project = folder({ 'p.md': '# P\n\n## Wave 1: A\n\nReviewer: oracle\n\n- [ ] 1.1 Do it\n' });
    await expect(planRun(`${project}/p.md`, { project })).rejects.toMatchObject({ code: 'AGENT_UNKNOWN' });
  });

  it('a named reviewer returns by its own contract if that judges, else by the line of a wave review', () => {
    const contract = (agent: string): string => contractFor({ role: 'wave-review', agent }, { agents, contracts }).name;
    expect(contract('swarm-reviewer-opus')).toBe('wave-review');
    expect(contract('security-lead')).toBe('code-reviewer');
    expect(contractFor({ role: 'work', agent: 'swarm-reviewer-opus' }, { agents, contracts }).name).toBe(
      'worker-report',
    );
  });

  it('a named reviewer may change its report, and nothing else', async () => {
    const run = scriptedRun(planned('Review: swarm-reviewer-opus'), (activity) =>
      activity.task.id.includes('review') ? low : {},
    );
    await run.work();
    const input = { directory: '/work', prompt: '', returnSchema: {}, limits: {}, refuse: async () => undefined };
    const reviews = run.activities.flatMap((activity) => {
      const { agent, isReview } = driverTask({ project: '/', environment: {}, run: 'run_1' }, activity, input);
      return isReview ? [agent] : [];
    });
    expect(reviews).toEqual(['swarm-reviewer-opus', 'wave-reviewer', 'wave-reviewer']);
  });

  it('HIGH|fix-imports|path is a verdict; a line has less than 100 characters, its path aside', () => {
    const review = findContract(contracts, 'wave-review');
    const line = `HIGH|fix-imports|${slug}/wave-1/wave-review.md`;
    expect(read(review, line)).toMatchObject({
      ok: true,
      result: { fields: { priority: 'HIGH', action: 'fix-imports' } },
    });
    expect(read(review, line.replace('fix-imports', 'x'.repeat(100))).ok).toBe(false);
  });
});

describe('Execution Loop (Zero-Polling)', () => {
  const saying =
    (priority: 'HIGH' | 'MED'): Script =>
    ({ task }) =>
      task.id === 'wave-1:review' ? { verdict: { priority, action: 'fix-imports' } } : low;

  const order = async (script: Script): Promise<string[]> => {
    const run = scriptedRun(planned(''), (activity) =>
      /:review(?:-\d+)?$/.test(activity.task.id) ? script(activity) : {},
    );
    await run.work();
    return run.activities.map(({ task }) => task.id);
  };

  it('HIGH: fixers at once, then another review', async () => {
    expect(await order(saying('HIGH'))).toEqual([
      '1.1', 'wave-1:review', 'wave-1:fix', 'wave-1:review-2', '2.1', 'wave-2:review', 'final:review',
    ]); // prettier-ignore
  });

  it('MED: noted, and fixed beside the next wave', async () => {
    const ids = await order(saying('MED'));
    expect(ids.slice(0, 2)).toEqual(['1.1', 'wave-1:review']);
    expect(ids.slice(2, 4).toSorted()).toEqual(['2.1', 'wave-1:review:fix']);
  });

  it('LOW: the next wave', async () => {
    expect(await order(() => low)).toEqual(['1.1', 'wave-1:review', '2.1', 'wave-2:review', 'final:review']);
  });
});

describe('Optional Task Review (Opus)', () => {
  it('a task with a review of its own is reviewed before its wave', async () => {
    const plan = planOf([[{ id: '2.3', review: 'deep' }]]);
    expect(await reviewers(plan)).toEqual(['task-2.3:review task-reviewer deep', 'wave-1:review wave-reviewer deep']);
  });
});
