import { describe, expect, it } from 'vitest';
import { sampleQuestion, sampleReport, sampleRun, sampleTask } from '../../../tests/support/run-report.ts';
import { DivisiError } from '../../base/error.ts';
import { runBrief, runBudget } from './run-brief.ts';

const branch = `divisi/${sampleRun}`;
const workspace = { kind: 'git' as const, branch, base: 'a', head: 'b', commits: 2, files: 2, foreign: 0 };
const verification = {
  verdict: 'verified' as const,
  base: 'a',
  changed: 1,
  linesAdded: 1,
  linesDeleted: 0,
  findings: [],
  commands: [],
  milliseconds: 1,
};
const failed = (task: string, message: string) =>
  sampleTask(task, { status: 'failed', failure: { class: 'agent-error', message } });

describe('the brief of a run', () => {
  it('that completed is numbers, a branch, what was done, and what a person may do', () => {
    const summary = 'Did it. Then it rested.';
    const tasks = ['1.1', '1.2'].map((task) => sampleTask(task, { title: `Write ${task}`, summary, verification }));
    expect(runBrief(sampleReport({ tasks, workspace }))).toBe(
      `<divisi-run id="${sampleRun}" status="completed" completed="2/2" verified="2/2" branch="${branch}" content="data"><done>1.1 Write 1.1: Did it; 1.2 Write 1.2: Did it</done></divisi-run>\n` +
        `next: \`divisi merge ${sampleRun}\`, if the person wants it; report {"task":…} shows more.`,
    );
  });

  it('uses its budget for what was done, and counts what has no room', () => {
    const brief = (number: number): string => {
      const summary = `It reads ${'all of the many formats that there are, '.repeat(9)}. And more.`;
      const tasks = Array.from({ length: number }, (_, at) => sampleTask(`1.${at + 1}`, { title: 'Read it', summary }));
      return runBrief(sampleReport({ tasks, workspace }));
    };
    for (const number of [2, 3, 6, 9]) {
      expect(brief(number).length).toBeLessThanOrEqual(runBudget);
      expect(brief(number).length).toBeGreaterThan(runBudget - 60);
      expect(brief(number)).toContain(`1.${number} Read it`);
    }
    expect(brief(60)).toMatch(/; 1\.\d+ Read it[^;]* and \d\d more<\/done>/);
    expect(brief(60).length).toBeLessThanOrEqual(runBudget);
  });

  it('says the same about several tasks once', () => {
    const tasks = ['1.1', '1.2', '1.3'].map((task) => sampleTask(task, { degraded: ['no-report'], notes: ['Ready'] }));
    const text = runBrief(sampleReport({ tasks }));
    expect(text).toContain('<degraded of="1.1, 1.2, 1.3">no-report</degraded>');
    expect(text).toContain('<note of="1.1, 1.2, 1.3">Ready</note>');
  });

  it('of a single task has what it says', () => {
    const text = runBrief(sampleReport({ tasks: [sampleTask('1.1', { summary: 'The cause is a < b.' })] }));
    expect(text).toContain(
      '<summary of="1.1">The cause is a &lt; b.</summary></divisi-run>\nnext: report {"task":…} shows more.',
    );
  });

  it('that failed says what failed, and counts what was skipped', () => {
    const tasks = [
      failed('1.1', 'out of luck'),
      sampleTask('2.1', { status: 'skipped', because: '1.1' }),
      sampleTask('1.2'),
    ];
    expect(runBrief(sampleReport({ status: 'failed', tasks }))).toBe(
      `<divisi-run id="${sampleRun}" status="failed" completed="1/3" failed="1" skipped="1" verified="0/1" content="data">` +
        '<failed of="1.1">out of luck</failed><skipped>2.1</skipped></divisi-run>\n' +
        `next: report {"task":…} says why; run {"resume":"${sampleRun}"} retries what did not complete.`,
    );
  });

  it('that asks says what, and how it is answered', () => {
    const text = runBrief(
      sampleReport({ status: 'paused', reason: 'needs an answer', checkpoints: [sampleQuestion()] }),
    );
    expect(text).toContain(
      '<checkpoint of="checkpoint-1">Is it right? | approve: continue the run | reject: stop the run here</checkpoint>',
    );
    expect(text).toContain(
      `then answer {"approve":true,"run":"${sampleRun}"} (or false), then run {"resume":"${sampleRun}"}.`,
    );
  });

  it('with several questions says which one an answer is to', () => {
    const checkpoints = [sampleQuestion(), sampleQuestion({ checkpoint: 'checkpoint-2' })];
    expect(runBrief(sampleReport({ status: 'paused', checkpoints }))).toContain(
      '{"approve":true,"checkpoint":"checkpoint-1",',
    );
  });

  it('whose process is gone is not a running one', () => {
    const text = runBrief(sampleReport({ status: 'running' }), { shown: 'interrupted' });
    expect(text).toContain('status="interrupted"');
    expect(text).toContain('its process is gone');
  });

  it('says what was found out instead of what was claimed', () => {
    const findings = [{ kind: 'tests-removed' as const, rejects: true, fact: 'a.test.ts', paths: [] }];
    const rejected = { ...verification, verdict: 'rejected' as const, findings };
    const [bad, odd] = [
      sampleTask('1.1', { status: 'failed', summary: 'All is well.', verification: rejected }),
      sampleTask('1.2', { verification: { ...rejected, verdict: 'degraded' } }),
    ];
    const text = runBrief(sampleReport({ status: 'failed', tasks: [bad, odd] }));
    expect(text).toContain('<failed of="1.1">rejected (tests-removed): 1 file +1 −0</failed>');
    expect(text).toContain('<degraded of="1.2">tests-removed</degraded>');
    expect(text).not.toContain('All is well');
  });

  it('has no secrets in it', () => {
    const text = runBrief(sampleReport({ tasks: [failed('1.1', 'password: hunter2secret99')] }));
    expect(text).toContain('[redacted:assignment]');
    expect(text).not.toContain('hunter2');
  });

  it('has its budget, however much there is to say', () => {
    const tasks = Array.from({ length: 200 }, (_, at) => failed(`1.${at}`, 'out of luck, '.repeat(50)));
    const text = runBrief(sampleReport({ status: 'failed', tasks, workspace }));
    expect(text.length).toBeLessThanOrEqual(runBudget);
    expect(text.length).toBeGreaterThan(runBudget - 40);
    expect(runBudget).toBe(600);
  });

  it('cannot be made to say nothing', () => {
    expect(() => runBrief(sampleReport(), { budget: 399 })).toThrow(DivisiError);
  });
});
