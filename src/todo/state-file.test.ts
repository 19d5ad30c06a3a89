import { describe, expect, it } from 'vitest';
import type { ProjectTask } from './project-task.ts';
import { editProjectState, readProjectState } from './project-state-file.ts';
import { editState, isStateFile, readState } from './state-file.ts';

const task: ProjectTask = {
  number: 2,
  title: 'Two words',
  description: '',
  status: 'not started',
  language: 'general',
  artifacts: [],
  created: '2026-11-16T10:00:00.000Z',
  updated: '2026-11-16T10:00:00.000Z',
};
const members =
  '"project_number":2, "project_name":"two_words", "title":"Two words", "status":"not_started", "language":"general", "artifacts":[], "created":"2026-11-16T10:00:00.000Z", "last_updated":"2026-11-16T10:00:00.000Z"';
const compact = `{${members.replaceAll(', ', ',')}}`;

it.each([
  ['{"active_projects": []}', true],
  ['{"next_project_number": 3}', true],
  ['\u{feff}{"active_projects": [1]}', true],
  ['{"active_projects": {}}', false],
  ['{"name": "x"}', false],
  ['[]', false],
  ['{', false],
  ['', false],
])('%j is a state file: %s', (text, is) => {
  expect(isStateFile(text)).toBe(is);
});

describe('readState', () => {
  it.each([
    ['', []],
    ['{', ['not valid JSON']],
    ['[]', ['not a JSON object']],
    ['{"active_projects": 1}', ['active_projects is not a list']],
    [
      '{"active_projects": [null, {"project_number": "x"}]}',
      ['active_projects[0] has no project_number', 'active_projects[1] has no project_number'],
    ],
    ['{"active_projects": [{"project_number": 1, "status": "odd"}]}', ['unknown status "odd"']],
    [
      '{"active_projects": [{"project_number": 1}, {"project_number": 1}]}',
      ['project number 1 is used twice; only the first one is read'],
    ],
  ])('%j: %j', (text, faults) => {
    expect(readState(text).faults.map(({ message }) => message)).toEqual(faults);
  });

  it('reads numbers that are text, and texts that are numbers', () => {
    const text =
      '{"next_project_number": "8", "active_projects": [{"project_number": "7", "title": "T", "effort": 8}]}';
    expect(readState(text).next).toBe(8);
    expect(readState(text).entries.get(7)).toEqual({ number: 7, title: 'T', effort: '8' });
  });

  it('has no artifact that leads out of the project', () => {
    const text =
      '{"active_projects": [{"project_number": 7, "artifacts": ["../x", "/etc", {"path": "./a//b"}, {}, 1]}]}';
    expect(readState(text).entries.get(7)?.artifacts).toEqual([{ type: 'implementation', path: 'a/b' }]);
  });
});

describe('editState', () => {
  it('makes a file', () => {
    const text = editState('', { put: [task], remove: [], next: 3 });
    expect(text).toBe(
      `${JSON.stringify({ next_project_number: 3, active_projects: [JSON.parse(compact)] }, null, 2)}\n`,
    );
  });

  it.each([
    ['{"active_projects":[]}', `{"active_projects":[${compact}], "next_project_number":3}`],
    ['{"next_project_number":3}', `{"next_project_number":3, "active_projects":[${compact}]}`],
    [
      '{"active_projects": [{"project_number": 1}], "next_project_number": 3}',
      `{"active_projects": [{"project_number": 1}, ${compact}], "next_project_number": 3}`,
    ],
    [
      '{"next_project_number":3,"active_projects":[{"project_number":2}]}',
      `{"next_project_number":3,"active_projects":[{${members}}]}`,
    ],
  ])('adds to %s', (text, edited) => {
    expect(editState(text, { put: [task], remove: [], next: 3 })).toBe(edited);
  });

  it.each([
    [[1], '{"next_project_number":9,"active_projects":[{"project_number":2}, {"project_number":3}]}'],
    [[2], '{"next_project_number":9,"active_projects":[{"project_number":1}, {"project_number":3}]}'],
    [[2, 3], '{"next_project_number":9,"active_projects":[{"project_number":1}]}'],
    [[1, 2, 3], '{"next_project_number":9,"active_projects":[]}'],
    [
      [4],
      '{"next_project_number":9,"active_projects":[{"project_number":1}, {"project_number":2}, {"project_number":3}]}',
    ],
  ])('removes %j', (remove, edited) => {
    const text =
      '{"next_project_number":9,"active_projects":[{"project_number":1}, {"project_number":2}, {"project_number":3}]}';
    expect(editState(text, { put: [], remove, next: 9 })).toBe(edited);
  });

  it('writes as the file is written', () => {
    const text = '{\r\n\t"next_project_number": 3,\r\n\t"active_projects": []\r\n}';
    const edited = editState(text, {
      put: [{ ...task, artifacts: [{ type: 'plan', path: 'p' }] }],
      remove: [],
      next: 3,
    });
    expect(edited).toBe(JSON.stringify(JSON.parse(edited), null, '\t').replaceAll('\n', '\r\n'));
    expect(edited).toContain('\r\n\t\t\t"artifacts": [\r\n\t\t\t\t{\r\n');
  });

  it('refuses what is not an object', () => {
    expect(() => editState('[]', { put: [], remove: [], next: 1 })).toThrow('not a state file');
  });
});

describe("a task's own state.json", () => {
  it.each([
    ['', { faults: [] }],
    ['{"language": " lean "}', { language: 'lean', faults: [] }],
    ['{"language": 1e3}', { language: '1000', faults: [] }],
    ['{}', { faults: [] }],
    ['[]', { faults: [{ message: 'not a JSON object' }] }],
    ['{,}', { faults: [{ message: 'not valid JSON' }] }],
  ])('%j', (text, state) => {
    expect(readProjectState(text)).toEqual(state);
  });

  it.each(['', '{,}', '[]'])('is made where it is %j', (text) => {
    expect(JSON.parse(editProjectState(text, task))).toEqual({
      task_number: 2,
      language: 'general',
      status: 'not_started',
      artifacts: [],
    });
  });
});
