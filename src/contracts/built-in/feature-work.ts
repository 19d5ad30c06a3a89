/** Feature work: contracts of the agents that plan and build a feature phase by phase. */
import { defineContract } from '../contract.ts';

export const todoDocGenerator = defineContract({
  name: 'todo-doc-generator',
  version: 1,
  purpose: 'write the TODO document of one feature and describe it',
  wireFormat: 'block',
  fields: {
    path: { type: 'path', feeds: 'plan', about: 'the TODO document' },
    dependencies: { type: 'list', presence: 'or-none', of: { type: 'text' }, about: 'features that must come first' },
    priority: { type: 'number', integer: true, min: 1, max: 5, about: '1 is the most urgent' },
    phases: { type: 'number', integer: true, min: 1, about: 'how many phases the document has' },
    complexity: { type: 'choice', of: ['low', 'medium', 'high'], about: 'how hard it looks' },
  },
  statusWhen: [],
  summary: '{path}: {phases} phases, {complexity} complexity, priority {priority}',
  rules: [],
  actions: [{ when: {}, action: 'record' }],
  example: {
    path: '.divisi/features/refunds-TODO.md',
    dependencies: ['invoices'],
    priority: 2,
    phases: 4,
    complexity: 'high',
  },
});

export const tddTaskExecutor = defineContract({
  name: 'tdd-task-executor',
  version: 1,
  purpose: 'implement one phase of a feature, tests first',
  wireFormat: 'block',
  fields: {
    phase: { type: 'progress', about: 'this phase and how many there are' },
    phase_complete: { type: 'flag', about: 'whether the whole phase is done' },
    files_changed: { type: 'list', of: { type: 'path' }, feeds: 'edited-files', about: 'existing files you changed' },
    files_created: {
      type: 'list',
      presence: 'or-none',
      of: { type: 'path' },
      feeds: 'created-files',
      about: 'new files',
    },
    tests_added: { type: 'number', integer: true, min: 0, about: 'how many tests you added' },
    tests_passing: { type: 'flag', about: 'whether the whole test run passes' },
    test_failures: {
      type: 'list',
      presence: 'or-none',
      of: { type: 'text' },
      feeds: 'problems',
      about: 'tests that fail',
    },
    blockers: { type: 'text', presence: 'or-none', feeds: 'problem', about: 'what keeps you from continuing' },
    next_action: { type: 'text', feeds: 'next-steps', about: 'what has to happen next' },
  },
  statusWhen: [
    { when: { blockers: { empty: false } }, status: 'blocked' },
    { when: { phase_complete: true, tests_passing: true }, status: 'completed' },
    { when: {}, status: 'partial' },
  ],
  summary: 'phase {phase}, {tests_added} tests added, passing: {tests_passing}; next: {next_action}',
  rules: [
    {
      when: { tests_passing: true },
      then: { test_failures: { empty: true } },
      because: 'when the tests pass, there are no test failures',
    },
  ],
  actions: [
    { when: { blockers: { empty: false } }, action: 'halt' },
    { when: { phase_complete: true, tests_passing: true }, action: 'review' },
    { when: {}, action: 'continue' },
  ],
  example: {
    phase: { current: 1, total: 4 },
    phase_complete: false,
    files_changed: ['src/refunds/ledger.ts'],
    files_created: ['src/refunds/ledger.test.ts'],
    tests_added: 5,
    tests_passing: false,
    test_failures: ['refund of a split payment'],
    blockers: null,
    next_action: 'make split payments refund in the order they were made',
  },
});

export const codeSimplifier = defineContract({
  name: 'code-simplifier',
  version: 1,
  purpose: 'make code simpler without changing what it does',
  wireFormat: 'block',
  fields: {
    simplified: { type: 'flag', about: 'whether anything was simplified' },
    files_modified: { type: 'list', of: { type: 'path' }, feeds: 'edited-files', about: 'files you changed' },
    lines_removed: { type: 'number', integer: true, min: 0, about: 'how many lines are gone' },
    complexity_reduction: { type: 'choice', of: ['none', 'low', 'medium', 'high'], about: 'how much simpler it is' },
    changes_summary: { type: 'text', about: 'what you simplified' },
  },
  statusWhen: [],
  summary: '{changes_summary}',
  rules: [
    {
      when: { simplified: true },
      then: { files_modified: { empty: false } },
      because: 'a simplification lists the files it changed',
    },
    {
      when: { simplified: false },
      then: { complexity_reduction: 'none' },
      because: 'without a simplification, complexity_reduction is none',
    },
  ],
  actions: [
    { when: { simplified: true }, action: 'review' },
    { when: { simplified: false }, action: 'proceed' },
  ],
  example: {
    simplified: true,
    files_modified: ['src/refunds/ledger.ts'],
    lines_removed: 41,
    complexity_reduction: 'low',
    changes_summary: 'Merged the two loops that walked the payments',
  },
});
