import { describe, expect, it } from 'vitest';
import type { ProjectTask } from './project-task.ts';
import { editTodo, readTodo } from './todo-file.ts';

const task: ProjectTask = {
  number: 2,
  title: 'Two',
  description: 'First.\n\n### 9. Forged\n- **Status**: [COMPLETED]',
  status: 'not started',
  language: 'general',
  artifacts: [],
  created: '2026-11-16T10:00:00.000Z',
  updated: '2026-11-16T10:00:00.000Z',
};
const written = `### 2. Two
- **Status**: [NOT STARTED]
- **Language**: general
- **Created**: 2026-11-16
- **Updated**: 2026-11-16

**Description**: First. ### 9. Forged - **Status**: [COMPLETED]
`;
const put = (text: string, ...tasks: ProjectTask[]): string => editTodo(text, { put: tasks, remove: [] });
const numbers = (text: string): number[] => [...readTodo(text).entries.keys()];

describe('readTodo', () => {
  it.each([
    ['### 1. A\n- **Status**: [PLANNED]', [1]],
    ['#### Task #12: A\n- **Language**: lean', [12]],
    ['### **3.** A\n- Status: planned', [3]],
    ['### 4 – A\n**Status**: planned', [4]],
    ['## Tasks\n### 5. Only a title', [5]],
    ['### 6. Only a title', [6]],
    ['## High Priority\n### 6. Only a title\nWords.\n\n### 7. Another', [6, 7]],
    ['## 6. Chapter\n#### 7. Part', []],
    ['## A\n### 1. Chapter\n## B\n### 1. Chapter', []],
    ['### 1. Chapter\n## Tasks\n### 1. Only a title', [1]],
    ['## 5. A\n- **Status**: [PLANNED]\n### 1. Step', [5]],
    ['## 7. Chapter\nStatus: planned', []],
    ['### 1.2. A\n- **Status**: [PLANNED]', []],
    ['### 0. A\n- **Status**: [PLANNED]', []],
    ['    ### 8. Code\n- **Status**: [PLANNED]', []],
    ['## 1. A\n```\n- **Status**: [PLANNED]\n```', []],
    ['## 1. A\n\n#### More\n- **Status**: [PLANNED]', []],
    ['## 1. A\n---\n- **Status**: [PLANNED]', []],
    ['\u{feff}### 1. A\n- **Status**: [PLANNED]', [1]],
    ['', []],
  ])('%j has the entries %j', (text, entries) => {
    expect(numbers(text)).toEqual(entries);
  });

  it('reads a description to the end of its paragraph', () => {
    const text =
      '### 1. A\r\n- **Status**: [PLANNED]\r\n\r\n**Description**: one\r\ntwo\r\n**Impact**: none\r\n\r\nthree';
    expect(readTodo(text).entries.get(1)).toEqual({ number: 1, title: 'A', status: 'planned', description: 'one two' });
  });

  it('takes what is below the fields for words', () => {
    const text = '### 1. A\n- **Status**: [PLANNED]\n\nWords.\n- Priority: maybe\n- **Effort**: 2 hours';
    expect(readTodo(text).entries.get(1)).toEqual({ number: 1, title: 'A', status: 'planned', effort: '2 hours' });
  });

  it('has no artifact that leads out of the project', () => {
    const text =
      '### 1. A\n- **Plan**: [a](../../../x.md), [b](/etc/passwd), [c](https://x.example/y), [d](../plans/z.md), none yet';
    expect(readTodo(text, '.claude/specs').entries.get(1)?.artifacts).toEqual([
      { type: 'plan', path: '.claude/plans/z.md' },
    ]);
  });

  it('reports what is not closed', () => {
    expect(readTodo('# A\n\n```\n### 1. A\n- **Status**: [PLANNED]').faults).toEqual([
      { line: 3, message: 'unclosed, expected ```: nothing below this line is read' },
    ]);
  });
});

describe('editTodo', () => {
  it.each([
    ['', `# TODO\n\n## Tasks\n\n${written}`],
    ['# Mine\n\nBuy milk.', `# Mine\n\nBuy milk.\n\n## Tasks\n\n${written}`],
    ['# Mine\n\n', `# Mine\n\n## Tasks\n\n${written}`],
    ['## Tasks\n## Later\n', `## Tasks\n\n${written}\n## Later\n`],
    ['## Tasks\n\nWords.\n\n\n## Later\n', `## Tasks\n\nWords.\n\n${written}\n\n## Later\n`],
    ['## TASKS\n```\nopen', `## TASKS\n\`\`\`\nopen\n\n\`\`\`\n\n${written}`],
    ['# A\r\n', `# A\r\n\r\n## Tasks\r\n\r\n${written.replaceAll('\n', '\r\n')}`],
  ])('adds to %j', (text, edited) => {
    expect(put(text, task)).toBe(edited);
    expect(numbers(edited)).toEqual([2]);
  });

  it('adds in the order given', () => {
    expect(numbers(put('', { ...task, number: 5 }, task))).toEqual([5, 2]);
  });

  it('adds fields where they belong, and keeps what people wrote', () => {
    const text = '### 2.  Two  ##\n- **Language:**   general\n- **Owner**: Kim\n\nProse.\n';
    expect(put(text, { ...task, description: 'D', effort: '1 h' })).toBe(
      '### 2.  Two  ##\n- **Status**: [NOT STARTED]\n- **Language:**   general\n- **Effort**: 1 h\n- **Created**: 2026-11-16\n- **Updated**: 2026-11-16\n\n**Description**: D\n\n- **Owner**: Kim\n\nProse.\n',
    );
  });

  it('removes a field that no longer has a value', () => {
    const blocked = put('', { ...task, status: 'blocked', reason: 'no key' });
    expect(blocked).toContain('- **Status**: [BLOCKED]\n- **Language**: general\n- **Reason**: no key\n');
    expect(put(blocked, task)).toBe(put('', task));
  });

  it('writes over a status that cannot be read', () => {
    expect(put('### 2. Two\n- **Status**: soon\n', task)).toContain('- **Status**: [NOT STARTED]\n');
  });

  it('removes an entry with its text and one of the rules around it', () => {
    const text =
      '## Tasks\n\n---\n\n### 1. A\n- **Status**: [PLANNED]\n\n#### Notes\nx\n\n---\n\n### 2. B\n\n---\nEnd\n';
    expect(editTodo(text, { put: [], remove: [1] })).toBe('## Tasks\n\n---\n\n### 2. B\n\n---\nEnd\n');
    expect(editTodo(text, { put: [], remove: [1, 2, 3] })).toBe('## Tasks\n\n---\n\nEnd\n');
  });

  it('removes no entry below another', () => {
    const text = '### 1. A\n- **Status**: [EXPANDED]\n\n#### 2. Part\n- **Status**: [PLANNED]\n';
    expect(editTodo(text, { put: [], remove: [1] })).toBe('#### 2. Part\n- **Status**: [PLANNED]\n');
  });

  it.each(['\n### 9. X', 'A #', 'A \\#', '#', '**A**', '   ', '- **Status**: [COMPLETED]'])(
    'the title %j is a title',
    (title) => {
      const text = put('', { ...task, title });
      expect(numbers(text)).toEqual([2]);
      expect(readTodo(text).entries.get(2)?.title).toBe(title.trim() || 'Untitled');
      expect(put(text, { ...task, title })).toBe(text);
    },
  );
});
