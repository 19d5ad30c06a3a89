/** Language extraction and routing of the orchestrator design, as dry runs in real projects that must stay as they are. */
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addBacklogTask } from '../../../src/commands/backlog/edit-backlog.ts';
import { previewCommand } from '../../../src/commands/run-stages.ts';
import type { PreparedCommand } from '../../../src/commands/prepare-command.ts';
import { readTodo } from '../../../src/todo/todo-file.ts';
import { environment } from '../../support/divisi.ts';
import { git, makeRepository, put } from '../../support/git-project.ts';
import { type Files, temporaryFolders } from '../../support/temporary-folder.ts';
import { ledgerFile } from '../../../src/workspace/places.ts';

const newFolder = temporaryFolders();
const specs = '.claude/specs';

function projectWith(files: Files): string {
  const project = join(newFolder(), 'project');
  put(project, files);
  makeRepository(project);
  return project;
}

async function preview(
  project: string,
  command: 'research' | 'plan' | 'implement',
  number = 244,
): Promise<PreparedCommand> {
  const request = { command, number, prompt: '' };
  return previewCommand(request, { project, environment: environment(dirname(project)), warn: () => undefined });
}

const routingOf = ({ stages }: PreparedCommand): string | undefined =>
  stages.find(({ stage }) => stage === 'routing')?.note;

/** The entry as the document writes it. */
const entry = '### 244. Implement feature X\n- **Language**: lean\n';
const state = (more: object = {}): string =>
  JSON.stringify({
    next_project_number: 245,
    active_projects: [{ project_number: 244, project_name: 'implement_feature_x', status: 'not_started', ...more }],
  });

describe('Priority 1: Project state.json', () => {
  it('the state of the task folder wins over TODO.md', async () => {
    const project = projectWith({
      [`${specs}/TODO.md`]: '### 244. Implement feature X\n- **Language**: python\n',
      [`${specs}/244_implement_feature_x/state.json`]: '{ "task_number": 244, "language": "lean" }',
    });
    expect(routingOf(await preview(project, 'research'))).toBe('language lean (project state): lean-research-agent');
  });
});

describe('Priority 2: TODO.md', () => {
  it('the field of the entry counts', async () => {
    const prepared = await preview(projectWith({ [`${specs}/TODO.md`]: entry }), 'implement');
    expect(routingOf(prepared)).toBe('language lean (TODO.md): lean-implementation-agent');
  });

  it('state.json of all tasks counts where the entry has no field, and is named as the source', async () => {
    const files = {
      [`${specs}/TODO.md`]: '### 244. Implement feature X\n',
      [`${specs}/state.json`]: state({ language: 'lean' }),
    };
    expect(routingOf(await preview(projectWith(files), 'research'))).toBe(
      'language lean (state.json): lean-research-agent',
    );
  });
});

describe('Priority 3: Default', () => {
  it('general, where neither file names a language', async () => {
    const prepared = await preview(projectWith({ [`${specs}/TODO.md`]: '### 244. Implement feature X\n' }), 'research');
    expect(routingOf(prepared)).toBe('language general (default) without its own agent: researcher');
  });
});

describe('Stage 2: PreflightValidation', () => {
  it.each([
    ['a bare heading', '# TODO\n\n## High Priority\n\n### 244. Implement feature X\n\nWords.\n'],
    ['a heading outside of Tasks', `# TODO\n\n## High Priority\n\n${entry}\n## Tasks\n`],
    ['a heading below Tasks', `# TODO\n\n## Tasks\n\n${entry}`],
  ])('%s is the one entry of its task, also where state.json has it', async (_, todo) => {
    const project = projectWith({ [`${specs}/TODO.md`]: todo, [`${specs}/state.json`]: state() });
    await addBacklogTask({ project, warn: () => undefined }, { title: 'Another' });
    const text = readFileSync(join(project, specs, 'TODO.md'), 'utf8');
    expect(text.match(/^### 244\./gm)).toHaveLength(1);
    expect([...readTodo(text).entries.keys()].toSorted((one, other) => one - other)).toEqual([244, 245]);
  });

  it('refuses a task that is not there', async () => {
    await expect(preview(projectWith({ [`${specs}/TODO.md`]: entry }), 'research', 999)).rejects.toMatchObject({
      code: 'TASK_UNKNOWN',
      message: 'task 999 is not in .claude/specs/TODO.md',
    });
  });

  it('a dry run writes nothing at all, before and after the first task command', async () => {
    const project = projectWith({
      [`${specs}/TODO.md`]: entry,
      [`${specs}/state.json`]: state({ language: 'python' }),
    });
    await preview(project, 'research');
    expect(git(project, 'status', '--porcelain', '--ignored')).toBe('');
    await addBacklogTask({ project, warn: () => undefined }, { title: '"Another"' });
    put(project, { [`${specs}/TODO.md`]: `${entry}- **Effort**: 3 hours\n` });
    git(project, 'add', '-A');
    const ledger = readFileSync(ledgerFile(project));
    await preview(project, 'plan');
    expect(git(project, 'diff')).toBe('');
    expect(readFileSync(ledgerFile(project)).equals(ledger)).toBe(true);
  });

  it('an import names the files that were there', async () => {
    const said: string[] = [];
    const project = projectWith({ [`${specs}/TODO.md`]: entry });
    await addBacklogTask({ project, warn: (note) => said.push(String(note)) }, { title: 'Implement feature Y' });
    expect(said.filter((note) => note.includes('imported'))).toEqual([`1 task imported from ${specs}/TODO.md`]);
  });

  it('a title comes without the quotes around it', async () => {
    const project = projectWith({ [`${specs}/TODO.md`]: entry });
    const { task } = await addBacklogTask({ project, warn: () => undefined }, { title: '"Implement feature Y"' });
    expect(task.title).toBe('Implement feature Y');
  });
});
