/** Backlog tasks from the command line: what one types, what one sees, what is in the files. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure } from '../support/answers.ts';
import { shapeOf } from '../support/shape.ts';
import { type Files, temporaryFolders } from '../support/temporary-folder.ts';
import { type Run, divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

interface Project {
  readonly cwd: string;
  readonly run: (...words: string[]) => Promise<Run>;
  readonly json: (...words: string[]) => Promise<unknown>;
  readonly read: (path: string) => string;
}

function project(files: Files = {}): Project {
  const cwd = folder({ '.divisi/config.yaml': '', ...files });
  const run = async (...words: string[]): Promise<Run> => divisi(words, { cwd });
  return {
    cwd,
    run,
    json: async (...words) => JSON.parse((await run(...words, '--json')).stdout) as unknown,
    read: (path) => readFileSync(join(cwd, path), 'utf8'),
  };
}

describe('from the first task to the archive', () => {
  const { cwd, run, json, read } = project();

  it('add', async () => {
    const first = await run('task', 'add', 'Refactor the context', '--language', 'TypeScript', '--effort', '4 hours');
    expect(first).toEqual({ code: 0, stdout: '1. Refactor the context (not started)\nadded to TODO.md\n', stderr: '' });
    const second = await run('task', 'add', 'Write docs', '--description', 'For people.', '--priority', 'low');
    expect(second.code).toBe(0);
    expect(read('TODO.md')).toContain(
      '### 1. Refactor the context\n- **Status**: [NOT STARTED]\n- **Language**: typescript',
    );
    expect(read('TODO.md')).toContain('**Description**: For people.');
    expect(JSON.parse(read('state.json'))).toMatchObject({
      next_project_number: 3,
      active_projects: [
        { project_number: 1, language: 'typescript' },
        { project_number: 2, priority: 'low' },
      ],
    });
  });

  it('list, by status, with what a person wrote into TODO.md', async () => {
    writeFileSync(join(cwd, 'TODO.md'), read('TODO.md').replace('4 hours', '2 days'));
    const { stdout, stderr } = await run('task', 'list');
    expect(stdout).toBe('1  not started  typescript  Refactor the context\n2  not started  general     Write docs\n');
    expect(stderr).toBe('divisi: TODO.md: task 1: effort updated from your edit\n');
    expect((await run('task', 'list', '--status', 'planned')).stdout).toBe('no task is planned\n');
    expect((await run('task', 'list', '--status', 'not_started')).stdout.split('\n')).toHaveLength(3);
  });

  it('block, with a reason', async () => {
    expect(await run('task', 'block', '1', '--reason', 'no access yet')).toEqual({
      code: 0,
      stdout: '1. Refactor the context (blocked: no access yet)\n',
      stderr: '',
    });
    expect(read('TODO.md')).toContain('[BLOCKED]');
  });

  it('expand: the parts know what they are parts of', async () => {
    const { stdout } = await run('task', 'expand', '2', 'Guide', 'Reference');
    expect(stdout).toBe(
      '2. Write docs (expanded: into 3, 4)\n  3. Guide (not started)\n  4. Reference (not started)\n',
    );
    expect(await json('task', 'show', '3')).toMatchObject({ task: { parent: 2 } });
    expect(await json('task', 'show', '2')).toMatchObject({ parts: [3, 4], archived: false });
  });

  it('show: what it is, what may follow, how it came to be so', async () => {
    const { stdout } = await run('task', 'show', '1');
    expect(stdout).toContain('1. Refactor the context (blocked: no access yet)');
    expect(stdout).toMatch(/may become +not started, researching/);
    expect(stdout).toMatch(/file +effort\n.*person +not started → blocked, reason/);
  });

  it('numbers and statuses complete in shells', async () => {
    const { stdout } = await run('complete', '--', 'task', 'block', '');
    expect(stdout.split('\n')[0]).toBe('1\tblocked: Refactor the context');
    expect((await run('complete', '--', 'task', 'list', '--status', 'not')).stdout).toBe('not_started\n');
  });

  it('todo: only what is over goes, and first one may look', async () => {
    await run('task', 'abandon', '3');
    const before = read('TODO.md');
    expect((await run('todo', '--dry-run')).stdout).toContain('2 tasks would be archived');
    expect(read('TODO.md')).toBe(before);
    expect(await json('todo')).toEqual({
      dryRun: false,
      archived: [
        { number: 2, title: 'Write docs', status: 'expanded' },
        { number: 3, title: 'Guide', status: 'abandoned' },
      ],
      file: '.divisi/specs/archive/TODO.md',
    });
    expect(read('TODO.md')).not.toMatch(/### [23]\./);
    expect(read('.divisi/specs/archive/TODO.md')).toMatch(/### 2\. Write docs[^]*### 3\. Guide/);
    expect(shapeOf(JSON.parse(read('state.json')))).toMatchObject({ active_projects: [{}, {}] });
    expect((await run('task', 'list')).stdout.split('\n')).toHaveLength(3);
    expect((await run('task', 'list', '--all')).stdout).toContain('2  expanded, archived');
    expect((await run('todo')).stdout).toBe('no task to archive\n');
  });
});

it('what people wrote below an entry goes with it into the archive', async () => {
  const own =
    '# TODO\n\n## Tasks\n\n### 7. Done\n- **Status**: [COMPLETED]\n- **Owner**: me\n\nA word of mine.\n\n---\n\n### 8. Open\n- **Status**: [PLANNED]\n';
  const { run, read } = project({ '.claude/specs/TODO.md': own });
  expect((await run('todo')).stderr).toBe('divisi: 2 tasks imported from .claude/specs/TODO.md\n');
  expect(read('.claude/specs/archive/TODO.md')).toContain('- **Owner**: me');
  expect(read('.claude/specs/archive/TODO.md')).toContain('A word of mine.');
  expect(read('.claude/specs/TODO.md')).toContain('### 8. Open');
  expect(read('.claude/specs/TODO.md')).not.toContain('A word of mine.');
});

describe('what cannot be', () => {
  const { run, json } = project();
  beforeAll(async () => {
    await run('task', 'add', 'One');
    await run('task', 'abandon', '1');
  });

  it('a number that there is not', async () => {
    const { code, stderr } = await run('task', 'block', '999', '--reason', 'x');
    expect(code).toBe(2);
    expect(stderr).toContain('task 999 is not in TODO.md [TASK_UNKNOWN]');
    expect(stderr).toContain('divisi task list');
    expect(failure.parse(await json('task', 'show', '999')).error.ids).toEqual({ number: 999, where: 'TODO.md' });
  });

  it('a status that may not follow', async () => {
    const { error } = failure.parse(await json('task', 'block', '1', '--reason', 'x'));
    expect(error).toMatchObject({ code: 'TASK_TRANSITION', expected: 'after abandoned: not started' });
  });

  it.each([
    [['task', 'show', 'x'], 'not a task number: '],
    [['task', 'show', '0'], 'not a task number: '],
    [['task', 'add', '  '], 'a task needs a title'],
    [['task', 'list', '--status', 'silly'], 'unknown status "silly"'],
    [['task', 'block', '1'], "required option '--reason <text>'"],
    [['task', 'expand', '1'], "missing required argument 'parts'"],
  ])('%j', async (words, message) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

it('looking makes nothing', async () => {
  const cwd = folder();
  expect(await divisi(['task', 'list'], { cwd })).toEqual({
    code: 0,
    stdout: 'no tasks; add one with `divisi task add "…"`\n',
    stderr: '',
  });
  expect(existsSync(join(cwd, '.divisi'))).toBe(false);
});

it('a title cannot become a heading, a field or a sequence of the terminal', async () => {
  const { run, read } = project();
  await run('task', 'add', 'a\n### 9. b\n- **Status**: [COMPLETED]\u001b[31m');
  expect((await run('task', 'list')).stdout).toBe(
    '1  not started  general  a ### 9. b - **Status**: [COMPLETED] [31m\n',
  );
  expect(read('TODO.md')).not.toMatch(/^### 9/m);
});
