/** Any task in any file: a written entry is read back, and everything else stays. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewerRuns } from '../../tests/properties/runs.ts';
import { artifactTypes } from '../contracts/result.ts';
import { areSameArtifacts, foundOf, type FoundTask, isSameTime } from './found-task.ts';
import type { ProjectTask } from './project-task.ts';
import { editState, isStateFile, readState } from './state-file.ts';
import { taskStatuses } from './task-status.ts';
import { editTodo, readTodo } from './todo-file.ts';

// prettier-ignore
const hostile = fc.constantFrom(
  '### 7. Forged', '- **Status**: [COMPLETED]', '**Description**: no', '---', '```', '~~~', '<!--', '-->', '#', '##', '\\#', '\n', '\r\n', '\r', '\u2028', '**', '__', '`', '[x](y)', '](<', '"', '\\', '\u{feff}',
  'a', 'ß', '👩‍💻', ' ', '  ', '\t', '},{', '\u202e', '0',
);
const words = fc.oneof(
  fc.array(fc.oneof(hostile, fc.string({ maxLength: 8 })), { maxLength: 8 }).map((all) => all.join('')),
  fc.array(hostile, { maxLength: 6 }).map((all) => all.join('\n')),
);
const path = fc
  .array(fc.constantFrom('a', 'plans', 'é (1)', '<b>', 'c\\d', 'e]f', '.x', "it's"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));
const artifacts = fc.uniqueArray(fc.record({ type: fc.constantFrom(...artifactTypes), path }), {
  maxLength: 4,
  selector: (one) => one.path,
});
const time = fc.constantFrom('2026-01-02T03:04:05.678Z', '2026-11-16T10:00:00.000Z');
const task = (number: fc.Arbitrary<number>): fc.Arbitrary<ProjectTask> =>
  fc.record(
    {
      number,
      title: words,
      description: words,
      status: fc.constantFrom(...taskStatuses),
      language: words,
      effort: words,
      priority: words,
      reason: words,
      parent: fc.integer({ min: 1, max: 999_999_999 }),
      artifacts,
      created: time,
      updated: time,
      completed: time,
    },
    { requiredKeys: ['number', 'title', 'description', 'status', 'language', 'artifacts', 'created', 'updated'] },
  );
const tasks = fc.uniqueArray(task(fc.integer({ min: 1, max: 30 })), { maxLength: 4, selector: ({ number }) => number });

// prettier-ignore
const block = fc.constantFrom(
  '# Top', '## Tasks', '## Later', 'Some words.', '---', '### 3. Three\n- **Status**: [PLANNED]', '### 4. Four', '## 5. Chapter', '```\n### 6. Code\n- **Status**: [PLANNED]\n```', '<!-- c\n### 8. x\n- **Status**: x\n-->',
  '### Task 9: Nine\n* **Language:** lean\n\n**Description**: Long\nand longer.\n\n#### 10. Part\n- **Status**: [DONE] yes', '- **Plan**:\n  - [a](b)\n  - [c](d)', '**Note**: keep', '#### Sub', '### 11. **E** ##\n- Status: done\n- Effort:',
  '### 12. x\n- **Status**: [SOMEDAY]\n- **Research**: [a](b), see c\n- **Review**: r/s.md', '~~~ open', '- [x] item',
);
const file = fc
  .tuple(
    fc.array(block, { maxLength: 7 }),
    fc.constantFrom('\n\n', '\n', '\r\n\r\n'),
    fc.constantFrom('', '\n', '\r\n'),
  )
  .map(
    ([blocks, between, end]) =>
      blocks.map((one) => one.replaceAll('\n', between.slice(between.length / 2) || '\n')).join(between) + end,
  );

/** A day in the file is a time of the task. */
function expectSame(found: FoundTask | undefined, wanted: ProjectTask): void {
  const { artifacts, created, updated, completed, slug: _slug, ...rest } = found ?? foundOf({ ...wanted, number: -1 });
  const { artifacts: a, created: c, updated: u, completed: d, ...all } = foundOf(wanted);
  expect(rest).toEqual(all);
  expect([
    areSameArtifacts(artifacts, a),
    isSameTime(created, c),
    isSameTime(updated, u),
    isSameTime(completed, d),
  ]).toEqual([true, true, true, true]);
}

describe('TODO.md', () => {
  it('says what was put, and of the others what it said', () => {
    fc.assert(
      fc.property(file, tasks, fc.constantFrom('', 'plans', '.claude/specs'), (text, put, folder) => {
        const before = readTodo(text, folder);
        const edited = editTodo(text, { put, remove: [] }, folder);
        const { entries } = readTodo(edited, folder);
        for (const one of put) expectSame(entries.get(one.number), one);
        const numbers = new Set(put.map(({ number }) => number));
        const others = [...before.entries].filter(([number]) => !numbers.has(number));
        expect([...entries].filter(([number]) => !numbers.has(number))).toEqual(others);
        expect(editTodo(edited, { put, remove: [] }, folder)).toBe(edited);
      }),
      fewerRuns,
    );
  });

  it('keeps every line that is no field of what was put', () => {
    fc.assert(
      fc.property(file, tasks, (text, put) => {
        const edited = editTodo(text, { put, remove: [] });
        const known =
          /^(?:#|(?:[-*] )?(?:\*\*)?(?:Status|Language|Plan|Effort|Research|Review|Description):?|and longer| {2}- \[)/;
        const kept = text.split(/\r?\n/).filter((line) => !known.test(line) && line.trim() !== '');
        const lines = edited.split(/\r?\n/);
        let at = 0;
        for (const line of kept) at = lines.indexOf(line, at) + 1 || Number.NaN;
        expect(at).not.toBeNaN();
      }),
      fewerRuns,
    );
  });

  it('has no more of what was removed, and is as it was when what was added goes again', () => {
    fc.assert(
      fc.property(file, tasks, (text, put) => {
        const before = readTodo(text);
        const numbers = [...before.entries.keys()];
        const added = put.filter(({ number }) => !before.entries.has(number));
        const edited = editTodo(text, { put: added, remove: [] });
        const back = editTodo(edited, { put: [], remove: added.map(({ number }) => number) });
        expect([...readTodo(back).entries]).toEqual([...before.entries]);
        const [first] = numbers;
        const without = editTodo(text, { put: [], remove: numbers.slice(0, 1) });
        const second = before.faults.some(
          ({ number, message }) => number === first && message.includes('is used twice'),
        );
        // A bare heading of the same number was a chapter; now its number is unique, which makes it an entry.
        const bare = new RegExp(`^### (?:task )?#?${first}[.):]`, 'gim');
        const isTwin = (without.match(bare) ?? []).length === 1;
        expect([second, second || isTwin]).toContain(readTodo(without).entries.has(first ?? 0));
      }),
      fewerRuns,
    );
  });
});

const json: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 2 });
const project = fc
  .tuple(
    fc.integer({ min: 1, max: 30 }),
    fc.dictionary(fc.constantFrom('type', 'x', 'title', 'status', 'artifacts', 'effort', 'a"b'), json),
  )
  .map(([number, more]) => ({ project_number: number, ...more }));
const state = fc
  .tuple(
    fc.uniqueArray(project, { maxLength: 4, selector: (one) => one.project_number }),
    fc.dictionary(fc.constantFrom('health', '_v', 'next_project_number'), json),
    fc.constantFrom(undefined, 2, 4, '\t'),
    fc.boolean(),
  )
  .map(([active, more, indent, isFirst]) =>
    JSON.stringify(isFirst ? { active_projects: active, ...more } : { ...more, active_projects: active }, null, indent),
  );

describe('state.json', () => {
  it('says what was put, and keeps everything else', () => {
    fc.assert(
      fc.property(fc.oneof(state, fc.constant('')), tasks, fc.integer({ min: 1, max: 99 }), (text, put, next) => {
        const edited = editState(text, { put, remove: [], next });
        const read = readState(edited);
        expect(read.next).toBe(next);
        expect(isStateFile(edited)).toBe(true);
        for (const one of put) expectSame(read.entries.get(one.number), one);
        const numbers = new Set(put.map(({ number }) => number));
        expect(others(edited, numbers)).toEqual(others(text, numbers));
        expect(editState(edited, { put, remove: [], next })).toBe(edited);
      }),
      fewerRuns,
    );
  });

  it('has no more of what was removed', () => {
    fc.assert(
      fc.property(state, fc.uniqueArray(fc.integer({ min: 1, max: 30 })), tasks, (text, remove, put) => {
        const edited = editState(text, { put, remove, next: 31 });
        const gone = new Set([...remove, ...put.map(({ number }) => number)]);
        expect(others(edited, gone)).toEqual(others(text, gone));
        expect(remove.filter((number) => readState(edited).entries.has(number))).toEqual([]);
      }),
      fewerRuns,
    );
  });
});

interface State {
  active_projects?: { project_number: number }[];
  next_project_number?: unknown;
}

/** All but the projects of these numbers and the next number. */
function others(text: string, numbers: ReadonlySet<number>): unknown {
  const { active_projects: active = [], next_project_number: _next, ...rest } = JSON.parse(text || '{}') as State;
  return { ...rest, active: active.filter(({ project_number: number }) => !numbers.has(number)) };
}
