/** Returns as the conventions write them, and what each of them must become: written out by hand, not by running the code. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/contracts/contract.ts';
import { read } from '../../src/contracts/read/read.ts';
import { actionFor, contractsByName, findContract } from '../../src/contracts/registry.ts';
import type { Result } from '../../src/contracts/result.ts';

const contracts = contractsByName();

function textOf(file: string): string {
  return readFileSync(new URL(`returns/${file}`, import.meta.url), 'utf8');
}

const empty = {
  artifacts: [],
  filesTouched: [],
  checks: [],
  notes: [],
  errors: [],
  metadata: {},
  fields: {},
  deviations: [],
  degraded: [],
};

interface Vector {
  readonly file: string;
  readonly contract: string;
  readonly result: Result;
  readonly action: Action;
}

const reports: readonly Vector[] = [
  {
    file: 'worker-report.md',
    contract: 'worker-report',
    action: 'proceed',
    result: {
      ...empty,
      contract: 'worker-report',
      status: 'completed',
      summary: 'Added endpoint tests for the auth module covering login, logout, and token refresh flows.',
      filesTouched: [
        { path: 'tests/test_auth.py', action: 'edit' },
        { path: 'tests/fixtures/auth.json', action: 'create' },
      ],
      checks: [
        { criterion: 'All endpoint tests pass', status: 'pass', evidence: 'pytest tests/test_auth.py — 12 passed' },
      ],
      notes: ['No conflicts, ready for merge'],
      metadata: {
        schemaVersion: '1.0.0',
        runId: '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4',
        taskId: 'T-12',
        worklogPath: 'worklogs/T-12.jsonl',
      },
      fields: {
        decisions: ['Used pytest fixtures instead of unittest setUp to match existing test patterns.'],
        issues: [],
      },
      wireFormat: 'report',
    },
  },
];

const structured: readonly Vector[] = [
  {
    file: 'completed-plan.json',
    contract: 'structured-return',
    action: 'proceed',
    result: {
      ...empty,
      contract: 'structured-return',
      status: 'completed',
      summary:
        'Created implementation plan for task 244 with 3 phases. Plan focuses on context reorganization, orchestrator streamlining, and command simplification. Estimated effort: 8 hours.',
      artifacts: [
        {
          type: 'plan',
          path: '.claude/specs/244_context_refactor/plans/implementation-001.md',
          summary: '3-phase implementation plan',
        },
      ],
      nextSteps: 'Run /implement 244 to execute the plan',
      metadata: {
        delegationId: 'sess_1735460684_a1b2c3',
        agent: 'planner',
        depth: 1,
        path: ['orchestrator', 'plan', 'planner'],
        durationSeconds: 245,
        phaseCount: 3,
        estimatedHours: 8,
      },
      wireFormat: 'json',
    },
  },
  {
    file: 'failed-research.json',
    contract: 'structured-return',
    action: 'record',
    result: {
      ...empty,
      contract: 'structured-return',
      status: 'failed',
      summary: 'Research failed due to network timeout when accessing LeanSearch API. No research artifacts created.',
      errors: [
        {
          type: 'timeout',
          message: 'LeanSearch API request timed out after 30s',
          recoverable: true,
          recommendation: 'Check network connection and retry with /research 245',
        },
      ],
      nextSteps: 'Retry after checking network connection',
      metadata: {
        delegationId: 'sess_1735460684_xyz789',
        agent: 'lean-research-agent',
        depth: 1,
        path: ['orchestrator', 'research', 'lean-research-agent'],
        durationSeconds: 30,
      },
      wireFormat: 'json',
    },
  },
  {
    file: 'partial-implementation.json',
    contract: 'structured-return',
    action: 'continue',
    result: {
      ...empty,
      contract: 'structured-return',
      status: 'partial',
      summary:
        'Completed phases 1-2 of 3. Phase 3 interrupted due to timeout. Implementation files created for phases 1-2.',
      artifacts: [
        { type: 'implementation', path: 'src/module_a.lean', summary: 'Phase 1 implementation' },
        { type: 'implementation', path: 'src/module_b.lean', summary: 'Phase 2 implementation' },
        {
          type: 'summary',
          path: '.claude/specs/246_feature/summaries/implementation-summary.md',
          summary: 'Partial implementation summary',
        },
      ],
      errors: [
        {
          type: 'timeout',
          message: 'Implementation timed out after 7200s during phase 3',
          recoverable: true,
          recommendation: 'Resume with /implement 246 to continue from phase 3',
        },
      ],
      nextSteps: 'Run /implement 246 to resume from phase 3',
      metadata: {
        delegationId: 'sess_1735460684_abc123',
        agent: 'lean-implementation-agent',
        depth: 1,
        path: ['orchestrator', 'implement', 'lean-implementation-agent'],
        durationSeconds: 7200,
      },
      wireFormat: 'json',
    },
  },
];

function verdict(contract: string, priority: string, action: string, path: string): Result {
  return {
    ...empty,
    contract,
    status: 'completed',
    summary: `${priority}: ${action}`,
    artifacts: [{ type: 'report', path }],
    fields: { priority, action, path },
    wireFormat: 'line',
  };
}

const waveReview = '.swarm/reports/fix-ts/wave-1/wave-review.md';

const lines: readonly Vector[] = [
  {
    file: 'plan-line.txt',
    contract: 'architect',
    action: 'record',
    result: {
      ...empty,
      contract: 'architect',
      status: 'completed',
      summary: 'plan .swarm/fix-ts.md',
      artifacts: [{ type: 'plan', path: '.swarm/fix-ts.md' }],
      fields: { path: '.swarm/fix-ts.md' },
      wireFormat: 'line',
    },
  },
  {
    file: 'verdict-high.txt',
    contract: 'wave-review',
    action: 'fix',
    result: verdict('wave-review', 'HIGH', 'fix-imports', waveReview),
  },
  {
    file: 'verdict-med.txt',
    contract: 'wave-review',
    action: 'defer',
    result: verdict('wave-review', 'MED', 'split-module', waveReview),
  },
  {
    file: 'verdict-low.txt',
    contract: 'task-review',
    action: 'proceed',
    result: verdict('task-review', 'LOW', 'none-needed', '.swarm/reports/fix-ts/wave-2/task-2.3.md'),
  },
];

const blocks: readonly Vector[] = [
  {
    file: 'todo-doc-generator.txt',
    contract: 'todo-doc-generator',
    action: 'record',
    result: {
      ...empty,
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
    file: 'tdd-task-executor.txt',
    contract: 'tdd-task-executor',
    action: 'review',
    result: {
      ...empty,
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
    file: 'code-reviewer.txt',
    contract: 'pr-review-toolkit:code-reviewer',
    action: 'fix',
    result: {
      ...empty,
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
    file: 'code-simplifier.txt',
    contract: 'pr-review-toolkit:code-simplifier',
    action: 'review',
    result: {
      ...empty,
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
    file: 'silent-failure-hunter.txt',
    contract: 'silent-failure-hunter',
    action: 'fix',
    result: {
      ...empty,
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
    file: 'review-pr.txt',
    contract: 'pr-review-toolkit:review-pr',
    action: 'commit',
    result: {
      ...empty,
      contract: 'review-pr',
      status: 'completed',
      summary: 'merge: 0 blocking issues, tests all-pass, confidence high',
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
    file: 'type-design-analyzer.txt',
    contract: 'type-design-analyzer',
    action: 'defer',
    result: {
      ...empty,
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

describe('a return of the conventions', () => {
  const vectors = [...reports, ...structured, ...lines, ...blocks];

  it.each(vectors)('$file is read whole, with nothing to remark', ({ file, contract, result }) => {
    expect(read(findContract(contracts, contract), textOf(file))).toStrictEqual({ ok: true, result });
  });

  it.each(vectors)('$file is followed by $action', ({ contract, result, action }) => {
    expect(actionFor(findContract(contracts, contract), result)).toBe(action);
  });

  it.each(vectors)('$file is read from the end of a longer answer', ({ file, contract, result }) => {
    const text = `I have finished.\n\n${textOf(file)}`;
    const reading = read(findContract(contracts, contract), text);
    const deviations = result.wireFormat === 'block' ? [] : ['text-around'];
    expect(reading.ok && reading.result.deviations.map(({ code }) => code)).toEqual(deviations);
    expect(reading).toEqual({ ok: true, result: { ...result, deviations: expect.any(Array) as unknown } });
  });

  it.each(vectors)('$file is read from a file with a byte order mark and CRLF', ({ file, contract, result }) => {
    const text = `\uFEFF${textOf(file).replaceAll('\n', '\r\n')}`;
    expect(read(findContract(contracts, contract), text)).toStrictEqual({ ok: true, result });
  });
});

describe("a worker's sentence", () => {
  const text = textOf('worker-sentence.txt');
  const path = '.orchestrator/outputs/task__add_endpoint_tests.md';

  it('says where the report is, and proves nothing by itself', () => {
    expect(read(findContract(contracts, 'worker-report'), text)).toStrictEqual({
      ok: false,
      violations: [
        { code: 'report-not-read', path: '', expected: 'the report itself', got: `a line that points to ${path}` },
      ],
      salvaged: {
        result: {
          ...empty,
          contract: 'worker-report',
          status: 'completed',
          artifacts: [{ type: 'report', path }],
          wireFormat: 'line',
          deviations: [{ code: 'wire-format', path: '', detail: 'line instead of report' }],
        },
        head: text,
        tail: '',
      },
    });
  });

  it('is as good as a line where a line is asked for', () => {
    expect(read(findContract(contracts, 'architect'), text)).toStrictEqual({
      ok: true,
      result: {
        ...empty,
        contract: 'architect',
        status: 'completed',
        summary: `plan ${path}`,
        artifacts: [{ type: 'plan', path }],
        fields: { path },
        wireFormat: 'line',
      },
    });
  });

  it.each([
    ['done', 'completed'],
    ['success', 'completed'],
    ['partial', 'partial'],
    ['timeout', 'partial'],
    ['failed', 'failed'],
    ['blocked', 'blocked'],
  ])('Task %s is %s', (word, status) => {
    const reading = read(findContract(contracts, 'worker-report'), `Task ${word}. Report: reports/a.md`);
    expect(reading).toMatchObject({
      ok: false,
      salvaged: { result: { status, artifacts: [{ type: 'report', path: 'reports/a.md' }] } },
    });
  });
});

describe('prose where JSON was asked for', () => {
  it('is no return, and nothing of it is lost', () => {
    const text = textOf('not-json.txt');
    expect(read(findContract(contracts, 'structured-return'), text)).toStrictEqual({
      ok: false,
      violations: [
        {
          code: 'no-return',
          path: '',
          expected: 'a return in the json format',
          got: 'atter. The notes are in the research folder. Tell me if you want a plan as well.',
        },
      ],
      salvaged: { result: {}, head: text, tail: '' },
    });
  });
});
