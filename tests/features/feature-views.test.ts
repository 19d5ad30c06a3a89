/** MASTER.md and the documents on disk: what is a person's stays, what an agent wrote cannot become more than it is. */
import { workflowAs } from '../../src/core/event/run-kind.ts';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../src/base/error.ts';
import type { RunState } from '../../src/core/state/state.ts';
import type { FeaturesWorkflow } from '../../src/core/event/workflow.ts';
import { writeViews } from '../../src/features/feature-views.ts';
import { runBrief } from '../../src/views/brief/run-brief.ts';
import { runReport } from '../../src/views/run/run-report.ts';
import { runSummary } from '../../src/views/run/run-summary.ts';
import { statusText } from '../../src/views/run/status-text.ts';
import { summaryText } from '../../src/views/run/summary-text.ts';
import { masterText } from '../../src/views/files/master-text.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { featureRun } from './feature-script.ts';

const escaped = (text: string): string => text.replaceAll(/[[\]]/g, String.raw`\$&`);
const folder = temporaryFolders();
const path = '.divisi/features/auth-TODO.md';

const write = async (project: string, state: RunState, warned: string[] = []): Promise<void> =>
  writeViews(state, {
    project,
    workflow: workflowAs(state.created, 'features') as FeaturesWorkflow,
    warn: (error) => warned.push(messageOf(error)),
  });
const read = (project: string, file: string): string => readFileSync(join(project, file), 'utf8');

describe('what people see of features', () => {
  const phases = '## Phase 1: Part 1 [COMPLETED]\n\n- [x] step\n\n## Phase 2: Part 2 [IN PROGRESS]\n\n- [ ] step\n';
  const blocked = { docs: { auth: { phases: 2 } }, steps: { 'auth.2.tdd': 'blocked' } } as const;

  it('is written for each run, and keeps what a person had there', async () => {
    const state = await featureRun('auth', blocked).work();
    const project = folder({
      [path]: '# Mine\n',
      '.divisi/features/auth-TODO.1.md': '# Older\n',
      '.divisi/MASTER.md': 'old',
    });
    const warned: string[] = [];
    await write(project, state, warned);
    expect(read(project, '.divisi/features/auth-TODO.1.md')).toBe('# Older\n');
    expect(read(project, '.divisi/features/auth-TODO.2.md')).toBe('# Mine\n');
    expect(read(project, path)).toMatch(
      new RegExp(`^${escaped(phases)}\n<!-- divisi: ${state.created.run} [\\da-f]{16} -->\n$`),
    );
    const master = read(project, '.divisi/MASTER.md');
    expect(master).toContain('| phase 2: needs you |');
    expect(master).toContain('auth-TODO.2.md has the earlier content of .divisi/features/auth-TODO.md');
    await write(project, state, warned);
    expect(warned).toEqual([`${path} already existed; the earlier file is kept as .divisi/features/auth-TODO.2.md`]);
    expect(readdirSync(join(project, '.divisi/features'))).toHaveLength(3);
  });

  it('of a run before is kept where a person changed a byte of it, and only there', async () => {
    const run = featureRun('auth', blocked);
    const state = await run.work();
    const project = folder();
    await write(project, state);
    const next = { ...state, created: { ...state.created, run: 'run_01M7HZ83QXQXCVP7VF23W4RA17' } } as RunState;
    await write(project, next);
    expect(readdirSync(join(project, '.divisi/features'))).toEqual(['auth-TODO.md']);
    const ticked = read(project, path).replace('- [ ] step', '- [x] step');
    writeFileSync(join(project, path), ticked);
    await write(project, state);
    expect(read(project, '.divisi/features/auth-TODO.1.md')).toBe(ticked);
    expect(read(project, path)).toContain(phases);
  });

  it('may be edited while the run continues: what the run does not know has no marks of it, and that is said', async () => {
    const run = featureRun('auth', blocked);
    const project = folder();
    const warned: string[] = [];
    await write(project, await run.work(), warned);
    const mine = '## Phase 2: Mine\n\n- [ ] mine\n\n## Phase 3: Part 2 [COMPLETED]';
    const edited = read(project, path).replace('## Phase 2: Part 2 [IN PROGRESS]', mine);
    writeFileSync(join(project, path), `About it.\n\n${edited}More.\n`);
    run.answer({ approved: false });
    await write(project, await run.work(), warned);
    const now = read(project, path);
    expect(now).toContain(`About it.\n\n## Phase 1: Part 1 [COMPLETED]\n\n- [x] step\n\n${mine}\n`);
    expect(now).toMatch(/\nMore\.\n\n<!-- divisi: run_\w+ edited -->\n$/);
    await write(project, run.state(), warned);
    expect(read(project, path)).toBe(now);
    expect(warned).toEqual([`${path} was edited by hand; the run uses the recorded version`]);
    const master = read(project, '.divisi/MASTER.md');
    expect(master).toContain(`## Notes\n\n- ${path} was edited by hand; the run uses the recorded version\n`);
    expect(master).toMatch(/## Halted\n\n- auth: it did not complete: auth\.2\.tdd: which\?\./);

    // Marks of a phase as it was go by what is done, whatever a person ticks.
    writeFileSync(join(project, path), now.replace('## Phase 2: Mine', '## Phase 2: Part 2 [COMPLETED]'));
    await write(project, run.state());
    expect(read(project, path)).toContain('## Phase 2: Part 2 [PARTIAL]\n\n- [ ] mine');
  });

  it('names what is halted, although all its tasks completed', async () => {
    const refusals = { 'auth.1.review': 'no', 'auth.1.review-2': 'no', 'auth.1.review-3': 'no' } as const;
    const docs = { auth: { phases: 1 }, payments: { phases: 1, needs: ['auth'] }, mail: { phases: 1 } };
    const run = featureRun('auth, payments, mail', { docs, steps: refusals });
    await run.work();
    run.answer({ approved: false });
    const report = runReport(await run.work());
    expect(report.counts).toEqual({ completed: report.tasks.length });
    const halted = 'auth (rejected by a person: auth.1.review-3), payments (it needs auth, which is halted)';
    const text = `1 of 3 features completed; halted: ${halted}. ${report.tasks.length} tasks:`;
    expect(statusText(report, 0)).toContain(text);
    expect(summaryText(report, 'reports')).toContain(text);
    expect(summaryText(report, 'reports')).toContain('retries what is halted and asks again');
    expect(runSummary(report)).toContain('## Open\n\n- auth halted: rejected by a person: auth.1.review-3\n');
    expect(runBrief(report)).toContain('features="1/3"');
    expect(runBrief(report)).toContain('<halted of="auth">rejected by a person');
  });

  it('says whose document waits for a person', async () => {
    const state = await featureRun('auth, mail', { steps: { 'auth.doc': 'blocked' } }).work();
    const text = masterText(state, workflowAs(state.created, 'features') as FeaturesWorkflow);
    expect(text).toContain('| its document needs you |');
    expect(text).toMatch(/\| \[mail\].* \| completed \|/);
  });

  it('is never written outside of the project', async () => {
    const state = await featureRun('auth').work();
    const [project, outside] = [folder(), folder()];
    mkdirSync(join(project, '.divisi'));
    symlinkSync(outside, join(project, '.divisi/features'));
    await expect(write(project, state)).rejects.toMatchObject({ code: 'PATH_OUTSIDE' });
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(project, '.divisi/MASTER.md'))).toBe(false);
  });

  it('shows the words of agents as words', async () => {
    const run = featureRun('1. A|b <b>\n2. Mail', {
      extras: ['type-design-analyzer'],
      steps: { 'mail.1.type-design-analyzer': 'later' },
    });
    const state = await run.work();
    const told = state.tasks.get('mail.1.type-design-analyzer')?.progress;
    const hostile = '\n# Halted\n- everything <script>\u001b[31m';
    if (told !== undefined && 'outcome' in told)
      Object.assign(told.outcome?.structuredResult ?? {}, { notes: [hostile] });
    const text = masterText(state, workflowAs(state.created, 'features') as FeaturesWorkflow);
    expect(text).toContain('| [a-b-b](features/a-b-b-TODO.md) A\\|b \\<b> |');
    expect(text).toContain('- mail.1.type-design-analyzer: \\# Halted - everything \\<script> [31m\n');
    expect(text.match(/^#+ .*$/gm)).toEqual(['# Features', '## a-b-b: A|b \\<b>', '## mail: Mail', '## Deferred']);
  });
});
