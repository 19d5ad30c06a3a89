/** The block each agent of the document returns, and what it must become. */
import { describe } from 'vitest';
import { emptyResult, testVectors, type Vector } from '../../support/vectors.ts';

const blocks: readonly Vector[] = [
  {
    file: 'output-contracts/todo-doc-generator.txt',
    contract: 'todo-doc-generator',
    action: 'record',
    result: {
      ...emptyResult,
      contract: 'todo-doc-generator',
      status: 'completed',
      summary: '.claude/features/auth-system-TODO.md: 3 phases, medium complexity, priority 1',
      artifacts: [{ type: 'plan', path: '.claude/features/auth-system-TODO.md' }],
      fields: {
        path: '.claude/features/auth-system-TODO.md',
        dependencies: [],
        priority: 1,
        phases: 3,
        complexity: 'medium',
      },
      wireFormat: 'block',
    },
  },
  {
    file: 'output-contracts/tdd-task-executor.txt',
    contract: 'tdd-task-executor',
    action: 'review',
    result: {
      ...emptyResult,
      contract: 'tdd-task-executor',
      status: 'completed',
      summary: 'phase 2/3, 8 tests added, passing: true; next: proceed to phase 3',
      filesTouched: [
        { path: 'src/auth/service.ts', action: 'edit' },
        { path: 'src/auth/middleware.ts', action: 'edit' },
        { path: 'src/auth/__tests__/service.test.ts', action: 'create' },
      ],
      nextSteps: 'proceed to phase 3',
      fields: {
        phase: { current: 2, total: 3 },
        phase_complete: true,
        files_changed: ['src/auth/service.ts', 'src/auth/middleware.ts'],
        files_created: ['src/auth/__tests__/service.test.ts'],
        tests_added: 8,
        tests_passing: true,
        test_failures: [],
        blockers: null,
        next_action: 'proceed to phase 3',
      },
      wireFormat: 'block',
    },
  },
  {
    file: 'output-contracts/code-reviewer.txt',
    contract: 'pr-review-toolkit:code-reviewer',
    action: 'fix',
    result: {
      ...emptyResult,
      contract: 'code-reviewer',
      status: 'completed',
      summary: 'revise: 3 issues (0 critical, 2 major), coverage adequate',
      notes: [
        'Missing input validation on email field',
        'No rate limiting on login endpoint',
        'Rate limiting should be added before production',
      ],
      fields: {
        approved: false,
        issues_total: 3,
        critical: [],
        major: ['Missing input validation on email field', 'No rate limiting on login endpoint'],
        minor: ['Consider extracting magic number to constant'],
        security: 'Rate limiting should be added before production',
        test_coverage: 'adequate',
        recommendation: 'revise',
      },
      wireFormat: 'block',
    },
  },
  {
    file: 'output-contracts/code-simplifier.txt',
    contract: 'pr-review-toolkit:code-simplifier',
    action: 'review',
    result: {
      ...emptyResult,
      contract: 'code-simplifier',
      status: 'completed',
      summary: 'Extracted duplicate validation logic, removed unused imports',
      filesTouched: [{ path: 'src/auth/service.ts', action: 'edit' }],
      fields: {
        simplified: true,
        files_modified: ['src/auth/service.ts'],
        lines_removed: 23,
        complexity_reduction: 'medium',
        changes_summary: 'Extracted duplicate validation logic, removed unused imports',
      },
      wireFormat: 'block',
    },
  },
  {
    file: 'output-contracts/silent-failure-hunter.txt',
    contract: 'silent-failure-hunter',
    action: 'fix',
    result: {
      ...emptyResult,
      contract: 'silent-failure-hunter',
      status: 'completed',
      summary: '2 silent failures, severity high',
      notes: ['src/api/client.ts:45 - swallowed Promise rejection', 'src/auth/token.ts:112 - empty catch block'],
      fields: {
        silent_failures_found: 2,
        locations: ['src/api/client.ts:45 - swallowed Promise rejection', 'src/auth/token.ts:112 - empty catch block'],
        severity: 'high',
        recommendations: ['Add error logging to catch blocks', 'Propagate errors to caller'],
      },
      wireFormat: 'block',
    },
  },
  {
    file: 'output-contracts/review-pr.txt',
    contract: 'pr-review-toolkit:review-pr',
    action: 'commit',
    result: {
      ...emptyResult,
      contract: 'review-pr',
      status: 'completed',
      summary: 'merge: 0 blocking issues, tests all-pass, confidence high',
      notes: ['Consider adding integration test for edge case'],
      fields: {
        ready_to_merge: true,
        blocking_issues: [],
        warnings: ['Consider adding integration test for edge case'],
        test_status: 'all-pass',
        files_reviewed: 7,
        approval_confidence: 'high',
        final_recommendation: 'merge',
      },
      wireFormat: 'block',
    },
  },
  {
    file: 'output-contracts/type-design-analyzer.txt',
    contract: 'type-design-analyzer',
    action: 'defer',
    result: {
      ...emptyResult,
      contract: 'type-design-analyzer',
      status: 'completed',
      summary: '4 types, quality 8/10, 1 issues',
      notes: ['Session may hold an expired token'],
      fields: {
        types_analyzed: 4,
        quality_score: 8,
        issues: ['Session may hold an expired token'],
        recommendations: [],
      },
      wireFormat: 'block',
    },
  },
];

// The document shows no output of type-design-analyzer; that block is our own.
describe('Expected Output', () => {
  testVectors(blocks);
});
