/** MASTER.md and the documents on disk: what is a person's stays, what an agent wrote cannot become more than it is. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/core/state.ts';
import { featuresWorkflow } from '../../src/core/features-of.ts';
import type { FeaturesWorkflow } from '../../src/core/workflow.ts';
import { writeViews } from '../../src/features/feature-views.ts';
import { masterText } from '../../src/views/master-text.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { featureRun } from './feature-script.ts';

const folder = temporaryFolders();
const path = '.tutti/features/auth-TODO.md';

const write = async (project: string, state: RunState): Promise<void> =>
  writeViews(state, { project, workflow: featuresWorkflow(state) as FeaturesWorkflow });
const read = (project: string, file: string): string => readFileSync(join(project, file), 'utf8');

describe('what people see of features', () => {
  it('is written for each run, and leaves what a person has written', async () => {
    const run = featureRun('auth', { docs: { auth: { phases: 2 } }, steps: { 'auth.2.tdd': 'blocked' } });
    const state = await run.work();
    const project = folder({ [path]: '# Mine\n', '.tutti/MASTER.md': 'old' });
    await write(project, state);
    const [kept = ''] = readdirSync(join(project, '.tutti/features')).filter((name) => name.includes('before'));
    expect(read(project, `.tutti/features/${kept}`)).toBe('# Mine\n');
    const mark = `<!-- tutti: ${state.created.run} -->`;
    const phases = '## Phase 1: Part 1 [COMPLETED]\n\n- [x] step\n\n## Phase 2: Part 2 [IN PROGRESS]\n\n- [ ] step\n';
    expect(read(project, path)).toBe(`${phases}\n${mark}\n`);
    expect(read(project, '.tutti/MASTER.md')).toContain('| phase 2: waits for you |');

    // By hand, while the run goes on: words stay, and a phase that is not done is not done.
    const edited = read(project, path).replace('Part 2 [IN PROGRESS]', 'Pages [COMPLETED]');
    writeFileSync(join(project, path), `About it.\n\n${edited}`);
    run.answer({ approved: false });
    await write(project, await run.work());
    expect(read(project, path)).toContain('About it.\n\n## Phase 1: Part 1 [COMPLETED]');
    expect(read(project, path)).toContain('## Phase 2: Pages [PARTIAL]\n');
    expect(read(project, '.tutti/MASTER.md')).toMatch(
      /## Halted\n\n- auth: it did not complete: auth\.2\.tdd: which\?\./,
    );
    expect(readdirSync(join(project, '.tutti/features'))).toHaveLength(2);

    // Of a run before this one nothing has to stay.
    writeFileSync(join(project, path), '# Old\n<!-- tutti: run_01M7HZ83QXQXCVP7VF23W4RA17 -->\n');
    await write(project, run.state());
    expect(read(project, path)).toContain('## Phase 1: Part 1 [COMPLETED]');
    expect(readdirSync(join(project, '.tutti/features'))).toHaveLength(2);
  });

  it('is never written outside of the project', async () => {
    const state = await featureRun('auth').work();
    const [project, outside] = [folder(), folder()];
    mkdirSync(join(project, '.tutti'));
    symlinkSync(outside, join(project, '.tutti/features'));
    await expect(write(project, state)).rejects.toMatchObject({ code: 'PATH_OUTSIDE' });
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(project, '.tutti/MASTER.md'))).toBe(false);
  });

  it('shows the words of agents as words', async () => {
    const run = featureRun('1. A|b <b>\n2. Mail', {
      extras: ['type-design-analyzer'],
      steps: { 'mail.1.type-design-analyzer': 'later' },
    });
    const state = await run.work();
    const told = state.tasks.get('mail.1.type-design-analyzer')?.progress;
    const hostile = '\n# Halted\n- everything <script>\u001b[31m';
    if (told !== undefined && 'outcome' in told) Object.assign(told.outcome?.told ?? {}, { notes: [hostile] });
    const text = masterText(state, featuresWorkflow(state) as FeaturesWorkflow);
    expect(text).toContain('| [a-b-b](features/a-b-b-TODO.md) A\\|b \\<b> |');
    expect(text).toContain('- mail.1.type-design-analyzer: \\# Halted - everything \\<script> [31m\n');
    expect(text.match(/^#+ .*$/gm)).toEqual(['# Features', '## a-b-b: A|b \\<b>', '## mail: Mail', '## Put off']);
  });
});
