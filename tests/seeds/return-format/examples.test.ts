/** The three returns of the document, and what each of them must become. */
import { describe } from 'vitest';
import { emptyResult, testVectors, type Vector } from '../../support/vectors.ts';

const structured: readonly Vector[] = [
  {
    file: 'return-format/completed-plan.json',
    contract: 'structured-return',
    action: 'proceed',
    result: {
      ...emptyResult,
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
    file: 'return-format/failed-research.json',
    contract: 'structured-return',
    action: 'record',
    result: {
      ...emptyResult,
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
    file: 'return-format/partial-implementation.json',
    contract: 'structured-return',
    action: 'continue',
    result: {
      ...emptyResult,
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

describe('Examples', () => {
  testVectors(structured);
});
