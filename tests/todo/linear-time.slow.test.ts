/** Hostile files: four times the size takes about four times as long. */
import { expect, it } from 'vitest';
import { markPhase, readPhases } from '../../src/todo/plan-phases.ts';
import type { ProjectTask } from '../../src/todo/project-task.ts';
import { editState, readState } from '../../src/todo/state-file.ts';
import { editTodo, readTodo } from '../../src/todo/todo-file.ts';
import { hostileText } from '../properties/linear-time.ts';
import { leastTime, timeOf } from '../support/processor-time.ts';

// prettier-ignore
const units = [
  '### 3. A\n', '### 3. A\n- **Status**: x\n', '- **Plan**: [a](b)\n', '- **Plan**:\n', '  - [a](<b\n', '](', '](<', '**Description**: ', '#### 3. x\n', '## Phase 1: a\n### b\n', '- [x] Phase 1: a\n\n', '[x] ', '#', ' #', ' \\#',
  '<!--', '```\n', '```', '`', '**', '- -', '[', '### 4. b\n- **Status**: x\n#### 3. x\n', '---\n### 3. b\n---\n', '"', '\\', ' ', '\n', '\r', 'x', '- ',
];
const frames: readonly ((hostile: string) => string)[] = [
  (hostile) => hostile,
  (hostile) => `### 3. ${hostile}`,
  (hostile) => `## Tasks\n### 3. A\n${hostile}`,
  (hostile) => `### 3. A\n- **Plan**: ${hostile}`,
  (hostile) => `### 3. A\n**Description**: ${hostile}`,
  (hostile) => `## Phase 1: ${hostile}`,
];
const task = (text: string): ProjectTask => ({
  number: 3,
  title: text,
  description: text,
  status: 'planned',
  language: text,
  artifacts: [{ type: 'plan', path: text }],
  created: '',
  updated: '',
});

function work(hostile: string): void {
  for (const frame of frames) {
    const text = frame(hostile);
    readTodo(text, '.claude/specs');
    editTodo(text, { put: [task('t')], remove: [] });
    editTodo(text, { put: [{ ...task('t'), number: 8 }], remove: [3] });
    readPhases(text);
    markPhase(text, 1, 'PARTIAL');
  }
  editTodo('', { put: [task(hostile)], remove: [] });
  const state = editState('', { put: [task(hostile)], remove: [], next: 9 });
  readState(state);
  editState(state, { put: [task('t')], remove: [], next: 9 });
}

/** Four times the size: quadratic time makes it 16 times as long. */
it.each(units)('%j', (unit) => {
  const [small, large] = [hostileText(unit, 32_768), hostileText(unit, 131_072)];
  work(small);
  const limit = Math.max(200, 11 * timeOf(() => work(small)));
  expect(leastTime(() => work(large), limit)).toBeLessThan(limit);
});
