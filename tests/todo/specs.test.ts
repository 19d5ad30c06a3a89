/** A project's `.claude/specs` as people and other tools have written it: read as it is, and changed only where a task changed. */
import { describe, expect, it } from 'vitest';
import type { ProjectTask } from '../../src/todo/project-task.ts';
import { readPhases, markPhase } from '../../src/todo/plan-phases.ts';
import { editProjectState, readProjectState } from '../../src/todo/project-state-file.ts';
import { editState, isStateFile, readState } from '../../src/todo/state-file.ts';
import { editTodo, readTodo } from '../../src/todo/todo-file.ts';
import { repositoryFile } from '../support/repository.ts';

const file = (name: string): string => repositoryFile(`tests/fixtures/specs/${name}`);
const folder = '.claude/specs';
const research = { type: 'report', path: `${folder}/244_context_refactor/reports/research-001.md` } as const;
const plan = { type: 'plan', path: `${folder}/244_context_refactor/plans/implementation-001.md` } as const;
const tables = { type: 'report', path: `${folder}/245_parser_tables/reports/research-001.md` } as const;

const refactor: ProjectTask = {
  number: 244,
  title: 'Context refactor: one loader',
  description: 'Files of context are loaded in three places. Make it one, and measure what a command loads.',
  status: 'planned',
  language: 'markdown',
  effort: '8 hours',
  priority: 'High',
  artifacts: [research, plan],
  created: '2026-02-20T08:00:00Z',
  updated: '2026-03-02T09:14:00Z',
};

/** Lines of the one that are not in the other, in order. */
function lines(one: string, other: string): string[] {
  const there = new Set(other.split('\n'));
  return one.split('\n').filter((line) => !there.has(line));
}

describe('TODO.md', () => {
  const text = file('TODO.md');

  it('is read, with what cannot be read of it', () => {
    const { entries, faults } = readTodo(text, folder);
    expect(Object.fromEntries(entries)).toEqual({
      244: {
        number: 244,
        title: 'Context refactor: one loader',
        description: refactor.description,
        status: 'planned',
        language: 'markdown',
        effort: '8 hours',
        priority: 'High',
        artifacts: [research, plan],
      },
      245: { number: 245, title: 'Parser tables', status: 'implementing', language: 'lean', artifacts: [tables] },
      246: { number: 246, title: '**Docs** for `serve` [beta]', status: 'not started', language: 'general' },
      247: { number: 247, title: 'Colours', language: 'general' },
    });
    expect(faults).toEqual([
      { line: 65, number: 247, message: 'unknown status "[SOMEDAY]"' },
      { line: 68, number: 245, message: 'task number 245 is used twice; only the first one is read' },
    ]);
  });

  it('is changed in the lines of the task', () => {
    const summary = { type: 'summary', path: `${folder}/244_context_refactor/summaries/it's done (1).md` } as const;
    const second = { type: 'plan', path: `${folder}/244_context_refactor/plans/implementation-002.md` } as const;
    const changed: ProjectTask = { ...refactor, status: 'implementing', artifacts: [research, plan, second, summary] };
    const edited = editTodo(text, { put: [changed], remove: [] }, folder);
    expect(lines(text, edited)).toEqual([
      '- **Status**: [PLANNED] since Monday',
      '- **Plan**: [Implementation Plan](244_context_refactor/plans/implementation-001.md)',
    ]);
    expect(lines(edited, text)).toEqual([
      '- **Status**: [IMPLEMENTING] since Monday',
      '- **Plan**: [Implementation Plan](244_context_refactor/plans/implementation-001.md), [plans/implementation-002.md](244_context_refactor/plans/implementation-002.md)',
      "- **Summary**: [summaries/it_s done _1_.md](<244_context_refactor/summaries/it's done (1).md>)",
      '- **Created**: 2026-02-20',
      '- **Updated**: 2026-03-02',
    ]);
    expect(readTodo(edited, folder).entries.get(244)).toMatchObject({
      status: 'implementing',
      artifacts: expect.arrayContaining([research, plan, second, summary]),
    });
    expect(editTodo(edited, { put: [changed], remove: [] }, folder)).toBe(edited);
  });

  it('gets a link of its own line where the others have one', () => {
    const second = { type: 'report', path: `${folder}/245_parser_tables/reports/research-002.md` } as const;
    const task: ProjectTask = {
      ...refactor,
      number: 245,
      title: 'Parser tables',
      language: 'lean',
      description: '',
      status: 'implementing',
      artifacts: [tables, second],
    };
    const edited = editTodo(text, { put: [task], remove: [] }, folder);
    expect(edited).toContain('half done\n  * [reports/research-002.md](245_parser_tables/reports/research-002.md)\n');
    expect(lines(text, edited)).toEqual([]);
    expect(readTodo(edited, folder).entries.get(245)?.artifacts).toEqual([tables, second]);
  });

  it('loses an entry with its text, and gets a new one at the end of the tasks', () => {
    const edited = editTodo(text, { put: [{ ...refactor, number: 248, title: 'New' }], remove: [245] }, folder);
    const [before, after] = [text.indexOf('### 245.'), text.indexOf('### 246.')];
    const end = text.indexOf('## Later');
    expect(edited.startsWith(text.slice(0, before) + text.slice(after, end))).toBe(true);
    expect(edited.endsWith(text.slice(end - 1))).toBe(true);
    expect(edited.slice(before + end - after, -text.slice(end - 1).length)).toMatch(
      /^### 248\. New\n- \*\*Status\*\*: \[PLANNED\]\n/,
    );
  });
});

describe('state.json', () => {
  const text = file('state.json');

  it('is read, with what cannot be read of it', () => {
    const { entries, faults, next } = readState(text);
    expect(isStateFile(text)).toBe(true);
    expect(next).toBe(249);
    expect(entries.get(244)).toEqual({
      number: 244,
      title: 'context refactor',
      isTitleMade: true,
      slug: 'context_refactor',
      status: 'planned',
      language: 'markdown',
      priority: 'high',
      created: '2026-02-20T08:00:00Z',
      artifacts: [research, plan],
    });
    expect(entries.get(245)?.artifacts).toEqual([tables]);
    expect([...entries.keys()]).toEqual([244, 245, 246]);
    expect(faults).toEqual([{ message: 'active_projects[3] has no project_number' }]);
  });

  it('is changed in the members of the task', () => {
    const changed: ProjectTask = { ...refactor, status: 'completed', priority: 'high' };
    const edited = editState(text, { put: [changed], remove: [], next: 249 });
    expect(lines(text, edited)).toEqual(['      "status": "planned",', expect.stringContaining('"plan_metadata"')]);
    expect(lines(edited, text)).toEqual([
      '      "status": "completed",',
      '      "plan_metadata": { "phases": 3, "total_effort_hours": 8, "tags": ["context", "loading \\"slow\\""] },',
      '      "title": "Context refactor: one loader",',
      `      "description": "${refactor.description}",`,
      '      "effort": "8 hours",',
      '      "last_updated": "2026-03-02T09:14:00Z"',
    ]);
    expect(readState(edited).entries.get(244)).toMatchObject({ title: refactor.title, status: 'completed' });
  });

  it('keeps a project on one line, and what else is said of an artifact', () => {
    const put = [
      { ...refactor, number: 246, title: 'Docs', artifacts: [] },
      { ...refactor, number: 245, artifacts: [tables, research] },
    ];
    const edited = editState(text, { put, remove: [244], next: 250 });
    expect(edited).toMatch(
      /\n {4}\{ "project_number": 246, .*"status": "planned".* \},\n {4}\{ "project_name": "lost" \}\n/,
    );
    expect(edited).toContain('"summary": "half"');
    expect(edited).toContain('"big": 12345678901234567890');
    expect(readState(edited).next).toBe(250);
    expect([...readState(edited).entries.keys()]).toEqual([245, 246]);
    expect(readState(edited).entries.get(245)?.artifacts).toEqual([tables, research]);
  });
});

describe("a task's own state.json", () => {
  const text = file('244_context_refactor/state.json');

  it('has its language, and is kept in step', () => {
    expect(readProjectState(text)).toEqual({ language: 'markdown', faults: [] });
    const edited = editProjectState(text, { ...refactor, status: 'completed' });
    expect(lines(text, edited)).toEqual(['  "status": "planned"']);
    expect(JSON.parse(edited)).toEqual({
      ...JSON.parse(text),
      status: 'completed',
      artifacts: [research, plan],
    });
    expect(editProjectState(edited, { ...refactor, status: 'completed' })).toBe(edited);
  });
});

describe('plans/implementation-001.md', () => {
  const text = file('244_context_refactor/plans/implementation-001.md');

  it('has phases', () => {
    expect(readPhases(text)).toMatchObject([
      { number: 1, title: 'Measure what is loaded', isDone: true },
      {
        number: 2,
        title: 'One loader',
        isDone: false,
        text: expect.stringMatching(/^### Phase 2[^]*Keep the old names/),
      },
      {
        number: 3,
        title: 'Compare [optional]',
        isDone: false,
        text: expect.stringMatching(/3\.1[^]*Measure again\n\n$/),
      },
    ]);
  });

  it('is marked in the heading of a phase, and its steps are ticked', () => {
    const marked = markPhase(markPhase(text, 3, 'PARTIAL'), 2, 'COMPLETED');
    expect(lines(text, marked)).toEqual([
      '### Phase 2: One loader [IN PROGRESS]',
      '- [ ] Move the three places into one',
      '### Phase 3: Compare [optional]',
    ]);
    expect(lines(marked, text)).toEqual([
      '### Phase 2: One loader [COMPLETED]',
      '- [x] Move the three places into one',
      '### Phase 3: Compare [optional] [PARTIAL]',
    ]);
    expect(readPhases(marked).map(({ isDone }) => isDone)).toEqual([true, true, false]);
    expect(markPhase(text, 9, 'COMPLETED')).toBe(text);
  });
});
