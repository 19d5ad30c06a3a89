/** TODO.md, state.json and the task list, with people, other programs and crashes in between. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { syncViews, type SyncReport, writeState, writeTodo } from '../../src/commands/sync-views.ts';
import { hashText } from '../../src/workspace/hash-text.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { repository } from '../support/repository.ts';
import { type Files, temporaryFolders } from '../support/temporary-folder.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
const person = { by: 'person' } as const;
const command = { by: 'command' } as const;
const todoFile = '.claude/specs/TODO.md';
const stateFile = '.claude/specs/state.json';

const todo = `# TODO

Notes of mine.

## Tasks

### 243. Older thing
- **Effort**: 2 hours
- **Status**: [COMPLETED]
- **Priority**: Low
- **Language**: markdown

**Description**: It was done long ago.

---

### 244. Refactor the context
- **Effort**: 8 hours
- **Status**: [PLANNED]
- **Priority**: High
- **Language**: lean
- **Owner**: somebody
- **Plan**: [plans/implementation-001.md](.claude/specs/244_context_refactor/plans/implementation-001.md)

**Description**: Take it apart.

A line that nobody knows.
`;
const project244 = {
  project_number: 244,
  project_name: 'context_refactor',
  status: 'planned',
  language: 'lean',
  phase: 3,
};
const state = `${JSON.stringify({ _schema: 'of another', next_project_number: 246, active_projects: [project244], health: { score: 7 } }, null, 2)}\n`;
const specs: Files = { [todoFile]: todo, [stateFile]: state };

interface StateJson {
  readonly next_project_number: number;
  readonly active_projects: readonly Record<string, unknown>[];
}

interface Place {
  readonly project: string;
  readonly ledger: Ledger;
  readonly sync: () => Promise<SyncReport>;
  readonly warnings: string[];
  readonly read: (path: string) => string;
  readonly stateJson: (path?: string) => StateJson;
  readonly edit: (path: string, from: string, to: string) => void;
}

function place(files: Files = {}): Place {
  const project = folder({ '.divisi/config.yaml': '', ...files });
  const ledger = openLedger(ledgerFile(project));
  const warnings: string[] = [];
  const read = (path: string): string => readFileSync(join(project, path), 'utf8');
  return {
    project,
    ledger,
    warnings,
    read,
    stateJson: (path = stateFile) => JSON.parse(read(path)) as StateJson,
    sync: async () => syncViews(project, ledger, (what) => warnings.push(what)),
    edit(path, from, to) {
      const text = read(path);
      expect(text).toContain(from);
      writeFileSync(join(project, path), text.replace(from, to));
    },
  };
}

describe('files that are there already', () => {
  it('come into the task list, and no byte of them changes but what one of the two lacks', async () => {
    const { ledger, sync, read, stateJson, warnings } = place(specs);
    const report = await sync();
    expect([report.imported, report.conflicts, warnings]).toEqual([[243, 244], [], []]);
    expect(report.written).toEqual([stateFile]);
    expect(read(todoFile)).toBe(todo);
    expect(ledger.taskList.task(244)).toMatchObject({
      title: 'Refactor the context',
      status: 'planned',
      language: 'lean',
      effort: '8 hours',
      priority: 'High',
      artifacts: [{ type: 'plan', path: '.claude/specs/244_context_refactor/plans/implementation-001.md' }],
    });
    expect(ledger.taskList.next()).toBe(246);
    expect(stateJson()).toMatchObject({ _schema: 'of another', health: { score: 7 } });
    expect(stateJson().active_projects).toEqual([project244, expect.objectContaining({ project_number: 243 })]);
    expect((await sync()).written).toEqual([]);
  });

  it('of a whole folder, with what people and programs do to them, stay as they are', async () => {
    const { project, ledger, sync, read, warnings } = place();
    const fixture = join(repository, 'tests/fixtures/specs');
    cpSync(fixture, join(project, '.claude/specs'), { recursive: true });
    const { imported, conflicts, written } = await sync();
    expect([imported, conflicts, written]).toEqual([[244, 245, 246, 247], [], [stateFile]]);
    expect(warnings).toHaveLength(3);
    expect(ledger.taskList.task(245)).toMatchObject({ status: 'implementing', language: 'lean' });
    const paths = readdirSync(fixture, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('.'));
    const others = paths.filter((path) => path !== 'state.json');
    expect(others.map((path) => read(join('.claude/specs', path)))).toEqual(
      others.map((path) => readFileSync(join(fixture, path), 'utf8')),
    );
    expect(existsSync(join(project, '.claude/specs/245_parser_tables/state.json'))).toBe(false);
    expect((await sync()).written).toEqual([]);
  });

  it('are changed only where the task list is', async () => {
    const { ledger, sync, read, stateJson } = place(specs);
    await sync();
    ledger.taskList.change(244, { status: 'implementing' }, command);
    expect((await sync()).written).toEqual([todoFile, stateFile]);
    const text = read(todoFile);
    expect(text).toContain('- **Status**: [IMPLEMENTING]');
    expect(text).toContain('- **Owner**: somebody');
    expect(text.slice(0, text.indexOf('### 244'))).toBe(todo.slice(0, todo.indexOf('### 244')));
    expect(stateJson().active_projects[0]).toMatchObject({ ...project244, status: 'implementing' });
  });

  it('that contradict each other are reported; status and language come from state.json', async () => {
    const { ledger, sync, read, warnings } = place({
      ...specs,
      [stateFile]: state.replace('"planned"', '"researched"'),
    });
    const { conflicts } = await sync();
    expect(conflicts.map(({ number, file }) => [number, file])).toEqual([[244, todoFile]]);
    expect(warnings).toHaveLength(1);
    expect(ledger.taskList.task(244)?.status).toBe('researched');
    expect(read(todoFile)).toContain('[RESEARCHED]');
    expect(ledger.taskList.history(244).map(({ kind }) => kind)).toEqual(['task.added', 'edit.conflicted']);
  });

  it('at the top: a TODO.md of another kind keeps its text', async () => {
    const own = '# Things\n\n- [ ] buy milk\n';
    const { ledger, sync, read, stateJson } = place({ 'TODO.md': own });
    ledger.taskList.add({ title: 'First' }, person);
    await sync();
    expect(read('TODO.md').startsWith(own)).toBe(true);
    expect(read('TODO.md')).toContain('### 1. First');
    expect(stateJson('state.json').active_projects).toHaveLength(1);
  });

  it('at the top: a state.json of another program is refused, and stays', async () => {
    const { ledger, sync, read, project } = place({ 'state.json': '{"theme":"dark"}' });
    ledger.taskList.add({ title: 'First' }, person);
    await expect(sync()).rejects.toMatchObject({ code: 'TASK_FILES_UNUSABLE' });
    expect(read('state.json')).toBe('{"theme":"dark"}');
    writeFileSync(join(project, '.divisi/config.yaml'), 'specs: docs/tasks\n');
    expect((await sync()).written).toEqual(['docs/tasks/TODO.md', 'docs/tasks/state.json']);
  });

  it('that lead out of the project are refused', async () => {
    const outside = folder({ 'TODO.md': todo });
    const { ledger, sync, project } = place();
    symlinkSync(join(outside, 'TODO.md'), join(project, 'TODO.md'));
    ledger.taskList.add({ title: 'First' }, person);
    await expect(sync()).rejects.toMatchObject({ code: 'PATH_OUTSIDE' });
    expect(readFileSync(join(outside, 'TODO.md'), 'utf8')).toBe(todo);
  });

  it('are not made for a task list without tasks', async () => {
    const { sync, project } = place();
    expect((await sync()).written).toEqual([]);
    expect([existsSync(join(project, 'TODO.md')), existsSync(join(project, 'state.json'))]).toEqual([false, false]);
  });
});

describe('an edit by hand', () => {
  it('of TODO.md is applied and written to state.json', async () => {
    const { ledger, sync, stateJson, edit, warnings } = place(specs);
    await sync();
    edit(todoFile, '[PLANNED]', '[BLOCKED]');
    edit(todoFile, '8 hours', '3 days');
    const report = await sync();
    expect(report.taken).toEqual([{ number: 244, file: todoFile, fields: ['status', 'effort'] }]);
    expect(ledger.taskList.task(244)).toMatchObject({ status: 'blocked', effort: '3 days' });
    expect(ledger.taskList.history(244).at(-1)).toMatchObject({ kind: 'task.changed', by: 'file' });
    expect(stateJson().active_projects[0]).toMatchObject({ status: 'blocked' });
    expect(warnings).toEqual([]);
  });

  it('of state.json is applied and written to TODO.md', async () => {
    const { ledger, sync, read, edit } = place(specs);
    await sync();
    edit(stateFile, '"planned"', '"implementing"');
    edit(stateFile, '246', '300');
    await sync();
    expect(read(todoFile)).toContain('[IMPLEMENTING]');
    expect(ledger.taskList.next()).toBe(300);
  });

  it('that the task list overtook is reported, recorded and discarded', async () => {
    const { ledger, sync, read, edit, warnings } = place(specs);
    await sync();
    ledger.taskList.change(244, { status: 'implementing' }, command);
    edit(todoFile, '[PLANNED]', '[ABANDONED]');
    await sync();
    expect(warnings).toEqual([expect.stringContaining('task 244: status was changed to abandoned by hand')]);
    expect(ledger.taskList.task(244)?.status).toBe('implementing');
    expect(read(todoFile)).toContain('[IMPLEMENTING]');
    expect(ledger.taskList.history(244).at(-1)).toMatchObject({ kind: 'edit.conflicted', view: todoFile });
    await sync();
    expect(warnings).toHaveLength(1);
  });

  it('to a forbidden status is reported; the rest of it is applied', async () => {
    const { ledger, sync, read, edit, warnings } = place(specs);
    await sync();
    edit(todoFile, '[COMPLETED]', '[PLANNED]');
    edit(todoFile, '2 hours', '3 hours');
    await sync();
    expect(warnings).toEqual([expect.stringContaining('cannot follow completed')]);
    expect(ledger.taskList.task(243)).toMatchObject({ status: 'completed', effort: '3 hours' });
    expect(read(todoFile)).toContain('[COMPLETED]');
  });

  it('that removes an entry is reported, and the entry comes back', async () => {
    const { sync, read, project, warnings } = place(specs);
    await sync();
    writeFileSync(join(project, todoFile), todo.slice(0, todo.indexOf('### 244')));
    await sync();
    expect(warnings).toEqual([expect.stringContaining('task 244 was removed by hand')]);
    expect(read(todoFile)).toContain('### 244. Refactor the context');
    await sync();
    expect(warnings).toHaveLength(1);
  });

  it('that removes a whole file is reported, and the file comes back', async () => {
    const { sync, project, stateJson, warnings } = place(specs);
    await sync();
    rmSync(join(project, stateFile));
    await sync();
    expect(warnings).toEqual([`${stateFile} was missing and has been written again from the task list`]);
    expect(stateJson().active_projects).toHaveLength(2);
  });

  it('adds tasks', async () => {
    const { ledger, sync, stateJson, project } = place(specs);
    await sync();
    writeFileSync(join(project, todoFile), `${todo}\n### 250. By hand\n- **Status**: [NOT STARTED]\n`);
    expect((await sync()).imported).toEqual([250]);
    expect(ledger.taskList.next()).toBe(251);
    expect(stateJson().next_project_number).toBe(251);
  });

  it('outside the fields is not an edit', async () => {
    const { ledger, sync, read, edit } = place(specs);
    await sync();
    edit(todoFile, 'Notes of mine.', 'Other notes.');
    edit(todoFile, 'A line that nobody knows.', 'Another.');
    const report = await sync();
    expect([report.taken, report.written]).toEqual([[], []]);
    ledger.taskList.change(244, { status: 'implementing' }, command);
    await sync();
    expect(read(todoFile)).toContain('Other notes.');
    expect(read(todoFile)).toContain('Another.');
  });

  it('with an unknown status is reported with its line, and stays until the task changes', async () => {
    const { ledger, sync, read, edit, warnings } = place(specs);
    await sync();
    edit(todoFile, '[PLANNED]', '[ALMOST]');
    await sync();
    expect(warnings).toEqual([expect.stringMatching(/^\.claude\/specs\/TODO\.md:\d+: unknown status/)]);
    expect(ledger.taskList.task(244)?.status).toBe('planned');
    expect(read(todoFile)).toContain('[ALMOST]');
  });
});

describe('a process that dies', () => {
  /** As if this process had died there: what it was about to write is on record. */
  function aboutToWrite(ledger: Ledger, hash: string): void {
    const [behind] = ledger.taskList.behind('todo');
    const before = ledger.taskList.entries('todo').get(244);
    const tasks = [{ number: 244, seq: behind?.seq ?? 0, entry: { ...before, status: 'implementing' } }];
    ledger.taskList.beginWriting('todo', { path: todoFile, hash, was: hashText(todo), tasks });
  }

  it('between the two files: the next one writes the second', async () => {
    const { ledger, project, sync, read, warnings } = place(specs);
    await sync();
    ledger.taskList.change(244, { status: 'implementing' }, command);
    await writeTodo(project, ledger, () => undefined);
    expect(read(todoFile)).toContain('[IMPLEMENTING]');
    expect(read(stateFile)).toContain('"planned"');
    expect((await sync()).written).toEqual([stateFile]);
    expect([(await writeState(project, ledger, () => undefined)).written, warnings]).toEqual([[], []]);
  });

  it('before the file was written, though it was on record: the file is behind, not edited', async () => {
    const { ledger, sync, read, warnings } = place(specs);
    await sync();
    ledger.taskList.change(244, { status: 'implementing' }, command);
    aboutToWrite(ledger, 'never written');
    ledger.taskList.change(244, { status: 'partial' }, command);
    await sync();
    expect([ledger.taskList.task(244)?.status, warnings]).toEqual(['partial', []]);
    expect(read(todoFile)).toContain('[PARTIAL]');
  });

  it('after the file was written, before that was on record: it is ours', async () => {
    const { ledger, sync, read, project, warnings } = place(specs);
    await sync();
    const written = todo.replace('[PLANNED]', '[IMPLEMENTING]');
    ledger.taskList.change(244, { status: 'implementing' }, command);
    aboutToWrite(ledger, hashText(written));
    writeFileSync(join(project, todoFile), written);
    ledger.taskList.change(244, { status: 'partial' }, command);
    await sync();
    expect([ledger.taskList.task(244)?.status, warnings]).toEqual(['partial', []]);
    expect(read(todoFile)).toContain('[PARTIAL]');
  });

  it('and a person who edits another field of the same entry before the next one comes: only that is an edit', async () => {
    const { ledger, sync, edit, read, warnings } = place(specs);
    await sync();
    ledger.taskList.change(244, { status: 'implementing' }, command);
    aboutToWrite(ledger, 'never written');
    edit(todoFile, '8 hours', '9 hours');
    const report = await sync();
    expect([report.taken, warnings]).toEqual([[{ number: 244, file: todoFile, fields: ['effort'] }], []]);
    expect(ledger.taskList.task(244)).toMatchObject({ status: 'implementing', effort: '9 hours' });
    expect(read(todoFile)).toContain('[IMPLEMENTING]');
  });
});

describe('a process that dies before it has written', () => {
  it('a new task: it was not removed by a person', async () => {
    const { ledger, sync, edit, read, warnings } = place(specs);
    await sync();
    const { number } = ledger.taskList.add({ title: 'New' }, person);
    const tasks = ledger.taskList.behind('todo').map(({ seq }) => ({ number, seq, entry: { number, title: 'New' } }));
    ledger.taskList.beginWriting('todo', { path: todoFile, hash: 'never written', was: hashText(todo), tasks });
    edit(todoFile, 'Notes of mine.', 'Other notes.');
    await sync();
    expect(warnings).toEqual([]);
    expect(read(todoFile)).toContain(`### ${number}. New`);
  });

  it('that a task is archived: it was not restored by a person', async () => {
    const { ledger, sync, edit, read, warnings } = place(specs);
    await sync();
    ledger.taskList.archive([243], person);
    const tasks = ledger.taskList.behind('todo').map(({ seq }) => ({ number: 243, seq, entry: null }));
    ledger.taskList.beginWriting('todo', { path: todoFile, hash: 'never written', was: hashText(todo), tasks });
    edit(todoFile, 'Notes of mine.', 'Other notes.');
    await sync();
    expect([warnings, ledger.taskList.isArchived(243)]).toEqual([[], true]);
    expect(read(todoFile)).not.toContain('### 243');
  });
});

describe('the folder of a task', () => {
  const own = '.claude/specs/244_context_refactor/state.json';

  it('sets the language, and is kept in sync', async () => {
    const { ledger, sync, read } = place({ ...specs, [own]: '{"language":"rust","mine":1}' });
    await sync();
    expect(ledger.taskList.task(244)?.language).toBe('rust');
    ledger.taskList.change(244, { status: 'implementing' }, command);
    await sync();
    expect(JSON.parse(read(own))).toMatchObject({
      language: 'rust',
      mine: 1,
      task_number: 244,
      status: 'implementing',
    });
    expect(read(todoFile)).toContain('- **Language**: rust');
  });

  it('follows a language that was changed elsewhere', async () => {
    const { sync, edit, read } = place({ ...specs, [own]: '{"language":"lean"}' });
    await sync();
    edit(todoFile, '- **Language**: lean', '- **Language**: python');
    await sync();
    expect(JSON.parse(read(own))).toMatchObject({ language: 'python' });
  });
});

it('archived tasks leave both files', async () => {
  const { ledger, sync, read, stateJson } = place(specs);
  await sync();
  ledger.taskList.archive([243], person);
  await sync();
  expect(read(todoFile)).not.toContain('### 243');
  expect(read(todoFile)).toContain('### 244');
  expect(stateJson().active_projects).toHaveLength(1);
  expect(ledger.taskList.task(243)?.title).toBe('Older thing');
  expect((await sync()).written).toEqual([]);
});

it('an archived task that is written into a file again is removed again, and that is reported', async () => {
  const { ledger, sync, read, project, warnings } = place(specs);
  await sync();
  ledger.taskList.archive([243], person);
  await sync();
  writeFileSync(join(project, todoFile), todo);
  await sync();
  expect(warnings).toEqual([expect.stringContaining('task 243 is archived')]);
  expect(read(todoFile)).not.toContain('### 243');
});

it('a task archived before its entry was removed, while another one is edited: nothing is reported', async () => {
  const { ledger, sync, read, edit, warnings } = place(specs);
  await sync();
  ledger.taskList.archive([243], person);
  edit(todoFile, '8 hours', '9 hours');
  await sync();
  expect([warnings, ledger.taskList.task(244)?.effort]).toEqual([[], '9 hours']);
  expect(read(todoFile)).not.toContain('### 243');
});

it('an abandoned and archived task is reopened by its status', async () => {
  const { ledger, sync, stateJson, project } = place({ ...specs, [todoFile]: todo.replace('COMPLETED', 'ABANDONED') });
  await sync();
  ledger.taskList.archive([243], person);
  await sync();
  writeFileSync(join(project, todoFile), todo.replace('COMPLETED', 'NOT STARTED'));
  await sync();
  expect([ledger.taskList.isArchived(243), ledger.taskList.task(243)?.status]).toEqual([false, 'not started']);
  expect(stateJson().active_projects).toHaveLength(2);
});
