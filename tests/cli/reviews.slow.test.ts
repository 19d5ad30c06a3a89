/** Reviews decide what runs next: HIGH is fixed and reviewed again, MED is deferred, LOW continues, and anything else asks. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerOf, planText, projectFiles, promptsOf, reviewsOf, startsOf } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const waves = [['1.1'], ['2.1']];
const highThrice = { 'wave-1:review': 'HIGH', 'wave-1:review-2': 'HIGH', 'wave-1:review-3': 'HIGH' } as const;

async function codes(cwd: string, ...lines: string[]): Promise<(number | null)[]> {
  const all: (number | null)[] = [];
  for (const line of lines) all.push((await divisi(line.split(' '), { cwd })).code);
  return all;
}

describe.concurrent('a wave that a review finds faults in', patient, () => {
  it('HIGH is fixed and reviewed again before the next wave', async () => {
    const cwd = folder(projectFiles({ waves, behave: { 'wave-1:review': 'HIGH' } }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(0);
    expect(startsOf(cwd)).toEqual(['1.1 1', 'wave-1:fix 1', '2.1 1']);
    expect(reviewsOf(cwd)).toEqual([
      'wave-1:review wave-reviewer deep',
      'wave-1:review-2 wave-reviewer deep',
      'wave-2:review wave-reviewer deep',
      'final:review wave-reviewer deep',
    ]);
    expect(stdout.indexOf('wave-1:review-2 completed')).toBeLessThan(stdout.indexOf('2.1 started'));
    const reports = `.divisi/runs/${ledgerOf(cwd).report.run}/reports/wave-1`;
    const [fix = ''] = promptsOf(cwd, 'wave-1:fix');
    expect(fix).toContain(`- “fix-the-HIGH”: ${reports}/wave-review.md`);
    expect(promptsOf(cwd, 'wave-1:review')[0]).toContain(
      `- 1.1 Write the file of 1.1: completed, ${reports}/task-1.1.md`,
    );
    const [again = ''] = promptsOf(cwd, 'wave-1:review-2');
    expect(again).toContain(`This is review 2. The previous one is ${reports}/wave-review.md`);
    expect(again).toContain(`- wave-1:fix Fix what wave-1:review found: completed, ${reports}/wave-fix.md`);
    for (const name of ['wave-review.md', 'wave-fix.md', 'wave-review-2.md']) {
      expect(existsSync(join(cwd, reports, name))).toBe(true);
    }
  });

  it('HIGH in three rounds asks a person, whose yes continues as it is', async () => {
    const cwd = folder(projectFiles({ waves, behave: highThrice }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(startsOf(cwd)).toEqual(['1.1 1', 'wave-1:fix 1', 'wave-1:fix-2 1']);
    expect(stdout).toContain(
      'checkpoint-1 needs you: the review of wave 1 still says HIGH after 3 rounds: fix-the-HIGH\n',
    );
    expect(stdout).toContain('\n  review: wave-1: HIGH fix-the-HIGH, open\n');
    expect(stdout).toMatch(/\n {2}divisi approve run_\w+ +accept as is and continue\n/);
    expect(await codes(cwd, 'approve', 'resume')).toEqual([0, 0]);
    expect(startsOf(cwd)).toEqual(['1.1 1', 'wave-1:fix 1', 'wave-1:fix-2 1', '2.1 1']);
    expect(reviewsOf(cwd).filter((line) => line.startsWith('wave-1'))).toHaveLength(3);
  });

  it('and whose no has it fixed and reviewed once more, with what the person said', async () => {
    const cwd = folder(projectFiles({ waves, behave: highThrice }));
    expect(await codes(cwd, 'run plan.md')).toEqual([5]);
    expect((await divisi(['reject', '--note', 'Look at the other file.'], { cwd })).code).toBe(0);
    expect(await codes(cwd, 'resume')).toEqual([0]);
    expect(startsOf(cwd)).toEqual(['1.1 1', 'wave-1:fix 1', 'wave-1:fix-2 1', 'wave-1:fix-3 1', '2.1 1']);
    expect(promptsOf(cwd, 'wave-1:fix-3')[0]).toContain('Notes from a person:\n- Look at the other file.');
    expect(promptsOf(cwd, 'wave-1:review-4')[0]).toContain('- Look at the other file.');
  });

  it('MED is deferred in the plan, fixed in the next wave, and ticked then', async () => {
    const behave = { 'wave-1:review': 'MED', 'wave-1:review:fix': 'hold' } as const;
    const cwd = folder(projectFiles({ waves, behave }));
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => startsOf(cwd),
      (seen) => seen.includes('wave-1:review:fix 1') && seen.includes('2.1 1'),
    );
    const plan = (): string => readFileSync(join(cwd, 'plan.md'), 'utf8');
    const { run } = ledgerOf(cwd).report;
    const item = `wave-1:review fix-the-MED (.divisi/runs/${run}/reports/wave-1/wave-review.md)`;
    await until(plan, (seen) => seen.includes(`## Deferred\n\n- [ ] ${item}\n`));
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    expect(plan()).toContain(`## Deferred\n\n- [x] ${item}\n`);
    expect(promptsOf(cwd, 'wave-1:review:fix')[0]).toContain('- “fix-the-MED”: ');
    expect(ledgerOf(cwd).report.findings).toMatchObject([{ id: 'wave-1:review', isFixed: true }]);
  });

  it('MED in the last wave is fixed before the run completes', async () => {
    const cwd = folder(projectFiles({ behave: { 'wave-1:review': 'MED' } }));
    expect(await codes(cwd, 'run plan.md')).toEqual([0]);
    expect(startsOf(cwd)).toEqual(['1.1 1', 'wave-1:review:fix 1']);
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toContain('- [x] wave-1:review fix-the-MED');
    expect(reviewsOf(cwd).at(-1)).toBe('final:review wave-reviewer deep');
  });
});

describe.concurrent('a review that is none', patient, () => {
  it('is repaired, then blocks and asks; it is never read as LOW', async () => {
    const cwd = folder(projectFiles({ waves, behave: { 'wave-1:review': 'prose' } }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout.match(/wave-1:review return not accepted, repair/g)).toHaveLength(2);
    expect(stdout).toContain('\ncheckpoint-1 needs you: the review of wave 1 gave no verdict\n');
    expect(startsOf(cwd)).not.toContain('2.1 1');
    const review = ledgerOf(cwd).report.gates.find(({ task }) => task === 'wave-1:review');
    expect(review).toMatchObject({ status: 'blocked', failure: { class: 'contract-violation' } });
    expect(await codes(cwd, 'reject', 'resume')).toEqual([0, 0]);
    expect(reviewsOf(cwd).slice(0, 2)).toEqual([
      'wave-1:review wave-reviewer deep',
      'wave-1:review-2 wave-reviewer deep',
    ]);
    expect(startsOf(cwd)).toContain('2.1 1');
  });
});

describe.concurrent('who reviews what', patient, () => {
  it('a single task, where the plan asks for it: nothing that depends on it starts before', async () => {
    const more = '### Task 1.1\n\n- Review: yes\n';
    const cwd = folder(
      projectFiles({ waves: [['1.1', '1.2 after 1.1']], more, behave: { 'task-1.1:review': 'HIGH' } }),
    );
    expect(await codes(cwd, 'run plan.md')).toEqual([0]);
    expect(startsOf(cwd)).toEqual(['1.1 1', 'task-1.1:fix 1', '1.2 1']);
    expect(reviewsOf(cwd)).toEqual([
      'task-1.1:review task-reviewer deep',
      'task-1.1:review-2 task-reviewer deep',
      'wave-1:review wave-reviewer deep',
    ]);
    expect(promptsOf(cwd, 'task-1.1:review')[0]).toContain('Review task 1.1 (Write the file of 1.1) and nothing else.');
  });

  it('a wave at the tier that the plan names for it', async () => {
    const plan = planText().replace('## Wave 1: Part 1\n', '## Wave 1: Part 1\n\n- Review: fast\n');
    const cwd = folder({ ...projectFiles(), 'plan.md': plan });
    expect(await codes(cwd, 'run plan.md')).toEqual([0]);
    expect(reviewsOf(cwd)).toEqual(['wave-1:review wave-reviewer fast']);
  });

  it('nothing where the plan turns reviews off, which the run says from its first line to its summary', async () => {
    const cwd = folder(projectFiles({ waves, settings: ['Reviews: off'] }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect([code, reviewsOf(cwd), startsOf(cwd)]).toEqual([0, [], ['1.1 1', '2.1 1']]);
    expect(stdout.split('\n')[0]).toMatch(/, reviews off$/);
    const said = 'reviews: off, as the plan says; neither the waves nor the run as a whole were reviewed';
    expect(stdout).toContain(`\n${said}\n`);
    const { run, reviews } = ledgerOf(cwd).report;
    expect(reviews).toBe('off');
    expect(readFileSync(join(cwd, `.divisi/runs/${run}/summary.md`), 'utf8')).toContain(`\n${said}.\n`);
    expect((await divisi(['report'], { cwd })).stdout).toContain(`\n${said}\n`);
  });

  it('the whole run at its end, with the reviews before it; a fault there is fixed too', async () => {
    const cwd = folder(projectFiles({ waves, behave: { 'final:review': 'HIGH' } }));
    expect(await codes(cwd, 'run plan.md')).toEqual([0]);
    const reports = `.divisi/runs/${ledgerOf(cwd).report.run}/reports`;
    const [prompt = ''] = promptsOf(cwd, 'final:review');
    expect(prompt).toContain('- goal: To see it run.');
    expect(prompt).toContain(`- ${reports}/wave-1/wave-review.md\n- ${reports}/wave-2/wave-review.md`);
    expect(startsOf(cwd)).toEqual(['1.1 1', '2.1 1', 'final:fix 1']);
    for (const name of ['final-review.md', 'final-fix.md', 'final-review-2.md']) {
      expect(existsSync(join(cwd, reports, name))).toBe(true);
    }
    const summary = readFileSync(join(cwd, reports, '../summary.md'), 'utf8');
    expect(summary).toContain('final:review-2');
  });
});
