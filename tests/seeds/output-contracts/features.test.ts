/** Feature documents of document 004, under its own names, as a project has them before it has Divisi. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../src/base/error.ts';
import { workflowAs } from '../../../src/core/event/run-kind.ts';
import type { Feature, FeaturesWorkflow } from '../../../src/core/event/workflow.ts';
import { documentFacts } from '../../../src/core/features/existing-document.ts';
import { featureDocument } from '../../../src/core/features/feature-document.ts';
import { readFeatures } from '../../../src/core/features/feature-list.ts';
import type { RunState } from '../../../src/core/state/state.ts';
import { documentedFeatures, documentsIn, takenNotes, withDocuments } from '../../../src/features/existing-features.ts';
import { writeViews } from '../../../src/features/feature-views.ts';
import { delegated, featureRun, standings } from '../../features/feature-script.ts';
import { type Files, temporaryFolders } from '../../support/temporary-folder.ts';

const folder = temporaryFolders();
const path = '.claude/features/auth-system-TODO.md';

const authSystem = `# TODO: Auth System

People log in.

**Dependencies**: none
**Priority**: 1
**Complexity**: medium

## Phase 1: Accounts [COMPLETED]

- [x] table

## Phase 2: Service and middleware

- [ ] service
- [ ] middleware

## Phase 3: Pages

- [ ] pages
`;

const nothing = (): void => undefined;
const read = (project: string, file: string): string => readFileSync(join(project, file), 'utf8');

async function written(project: string, state: RunState, warned: string[] = []): Promise<void> {
  const workflow = workflowAs(state.created, 'features') as FeaturesWorkflow;
  await writeViews(state, { project, workflow, warn: (error) => warned.push(messageOf(error)) });
}

describe('todo-doc-generator Contract', () => {
  it('path: the document at .claude/features/[slug]-TODO.md is taken over by the name of its feature', async () => {
    const project = folder({ [path]: authSystem });
    const features = await withDocuments(project, readFeatures('auth system, payments'), nothing);
    expect(features.map(({ document }) => document?.path)).toEqual([path, undefined]);
    expect(takenNotes(features)).toEqual([`auth-system is taken over from ${path}: 1 of 3 phases are done`]);
  });

  it('dependencies, priority, phases, complexity: as the document has them', async () => {
    const [feature] = await documentedFeatures(folder({ [path]: authSystem }), [path]);
    expect(feature).toMatchObject({ slug: 'auth-system', title: 'Auth System' });
    const { phases, ...facts } = featureDocument(undefined, feature as Feature);
    expect(facts).toMatchObject({ dependencies: [], priority: 1, complexity: 'medium' });
    expect(phases.map(({ title, isDone }) => [title, isDone])).toEqual([
      ['Accounts', true],
      ['Service and middleware', false],
      ['Pages', false],
    ]);
  });

  it.each([
    ['dependencies: [feature1, feature2]', { dependencies: ['feature1', 'feature2'] }],
    ['**Dependencies:** none', { dependencies: [] }],
    [
      '## Dependencies\n\n- `auth-system`\n- payments\n\nMore.\n- not one',
      { dependencies: ['auth-system', 'payments'] },
    ],
    ['- **Depends on**: mail\n- **Priority**: High', { dependencies: ['mail'], priority: 2 }],
    ['Priority: 10', { dependencies: [] }],
    ['Complexity: quite Low', { dependencies: [], complexity: 'low' }],
    ['Dependencies are bad.', { dependencies: [] }],
  ])('reads %j', (intro, facts) => {
    expect(documentFacts(intro)).toEqual(facts);
  });

  it.each([
    ['## Phase 1: A [COMPLETED]\n- [ ] x', true],
    ['## Phase 1: A ✅\n\ntext', true],
    ['## Phase 1: A ✅ DONE\n\n- [ ] x', true],
    ['### Phase 1 – A (Completed)\n\ntext', true],
    ['## Phase 1: A ✅ partly\n', false],
    ['## Phase 1: A (optional)\n', false],
    ['- [x] Phase 1: A', true],
    ['## Phase 1: A\n- [x] x\n- [X] y', true],
    ['## Phase 1: A\n**Status**: ✅ Complete\n', true],
    ['## Phase 1: A\n- [x] x\n- [ ] y', false],
    ['## Phase 1: A [IN PROGRESS]\n', false],
    ['## Phase 1: A\n\nStatus: open', false],
  ])('marks: %j is done: %s', (text, isDone) => {
    const feature = { slug: 'a', title: 'A', text: 'A', document: { path, text } };
    expect(featureDocument(undefined, feature).phases.map((one) => one.isDone)).toEqual([isDone]);
  });
});

describe('tdd-task-executor Contract', () => {
  it('finished phases are not built again, and no agent describes the feature', async () => {
    const run = featureRun(await documentedFeatures(folder({ [path]: authSystem }), [path]));
    expect((await run.work()).status).toBe('completed');
    expect(delegated(run.events)).toEqual(
      ['2.tdd', '2.review', '2.gate', '3.tdd', '3.review', '3.gate'].map((id) => `auth-system.${id}`),
    );
    const { description, forbidden } = run.state().tasks.get('auth-system.2.tdd')?.planned ?? {};
    expect(description).toContain('Return phase: 2/3.');
    expect(description).toContain('> ## Phase 2: Service and middleware');
    expect(forbidden).toEqual([path]);
  });

  it('a finished phase in the middle is passed over, and a finished feature holds up none that needs it', async () => {
    const project = folder({
      [path]: authSystem
        .replace(' [COMPLETED]', '')
        .replace('middleware\n', 'middleware [DONE]\n')
        .replace('- [x]', '- [ ]'),
      '.claude/features/core-TODO.md': '# Core\n\n## Phase 1: All [COMPLETED]\n',
      '.claude/features/mail-TODO.md': '# Mail\n\nDependencies: core, auth-system\n\n## Phase 1: Send\n',
    });
    const run = featureRun(
      await documentedFeatures(project, await documentsIn(project, [join(project, '.claude/features')])),
    );
    await run.work();
    expect(standings(run.state())).toEqual({ core: 'completed', 'auth-system': 'completed', mail: 'completed' });
    expect(delegated(run.events).filter((id) => id.endsWith('.tdd'))).toEqual([
      'auth-system.1.tdd',
      'auth-system.3.tdd',
      'mail.1.tdd',
    ]);
  });

  it('Update TODO doc with phase progress: in place, and nothing but the marks', async () => {
    const project = folder({ [path]: authSystem.replace('People', 'People\u{7}') });
    const features = await documentedFeatures(project, [path]);
    const run = featureRun(features, { steps: { 'auth-system.3.tdd': 'blocked' } });
    const warned: string[] = [];
    const state = await run.work();
    await written(project, state, warned);
    await written(project, state, warned);
    expect(warned).toEqual([]);
    const marked = authSystem
      .replace('People', 'People\u{7}')
      .replace(
        'middleware\n\n- [ ] service\n- [ ] middleware',
        'middleware [COMPLETED]\n\n- [x] service\n- [x] middleware',
      )
      .replace('Phase 3: Pages', 'Phase 3: Pages [IN PROGRESS]');
    const [body = '', ...rest] = read(project, path).split('\n<!-- divisi: ');
    expect([body, rest.length]).toEqual([marked, 1]);
    // A run after this one begins where this one stopped.
    const next = await documentedFeatures(project, [path]);
    expect(takenNotes(next)).toEqual([`auth-system is taken over from ${path}: 2 of 3 phases are done`]);
    expect(next[0]?.document?.text).not.toContain('divisi:');
  });
});

describe('pr-review-toolkit:review-pr Contract', () => {
  // Ours is .divisi/MASTER.md: `.claude/MASTER.md` belongs to the orchestrator that wrote it and stays as it is.
  it('Update MASTER.md accordingly', async () => {
    const project = folder({ [path]: authSystem, '.claude/MASTER.md': 'theirs' });
    const run = featureRun(await documentedFeatures(project, [path]), { steps: { 'auth-system.3.tdd': 'blocked' } });
    await written(project, await run.work());
    const master = read(project, '.divisi/MASTER.md');
    expect(master).toContain(`[auth-system](../${path}) Auth System | – | 1 | 2 of 3 |`);
    expect(master).toContain('- [x] Phase 1: Accounts\n- [x] Phase 2: Service and middleware');
    expect(read(project, '.claude/MASTER.md')).toBe('theirs');
  });
});

describe('a document that cannot be taken over', () => {
  const bad: Files = { [path]: '# TODO: Auth System\n\nNo phases.\n' };

  it('by name: it is warned of, and the feature is described again', async () => {
    const warned: unknown[] = [];
    const [feature] = await withDocuments(folder(bad), readFeatures('auth system'), (error) => warned.push(error));
    expect([feature?.document, messageOf(warned[0])]).toEqual([
      undefined,
      `${path}: it has no phases, or more than 20; a new document is written`,
    ]);
  });

  it('by name with more words: they describe the feature anew', async () => {
    const warned: unknown[] = [];
    const wanted = readFeatures('Auth System: log in with a link.');
    const [feature] = await withDocuments(folder({ [path]: authSystem }), wanted, (error) => warned.push(error));
    expect([feature?.document, messageOf(warned[0])]).toEqual([
      undefined,
      `${path} exists, but you describe auth-system in more words: a new document is written; name the file to take it over`,
    ]);
  });

  it('by path: two files are refused, one is a request in a person’s words', async () => {
    const project = folder(bad);
    await expect(documentedFeatures(project, [path, path])).rejects.toMatchObject({ code: 'INPUT_UNREADABLE' });
    expect(await documentsIn(project, [join(project, path)])).toEqual([]);
  });

  it('because it leads out of the project', async () => {
    const project = folder();
    mkdirSync(join(project, '.claude/features'), { recursive: true });
    symlinkSync(join(folder({ 'a.md': authSystem }), 'a.md'), join(project, path));
    await expect(documentedFeatures(project, [path])).rejects.toMatchObject({
      message: `${path}: it is a symlink out of the project`,
    });
    expect(await documentsIn(project, [join(project, '../x-TODO.md')])).toEqual([]);
  });

  it('because nothing is left to build', async () => {
    const project = folder({ [path]: '# A\n\n## Phase 1: B [COMPLETED]\n' });
    await expect(documentedFeatures(project, [path])).rejects.toMatchObject({ code: 'PLAN_FINISHED' });
    await expect(withDocuments(project, readFeatures('auth system'), nothing)).rejects.toMatchObject({
      code: 'PLAN_FINISHED',
    });
  });
});
