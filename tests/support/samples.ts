/** Valid things to start from: each test changes the one part it speaks of. */
import { delegationIdSchema } from '../../src/base/ids.ts';
import type { Result } from '../../src/contracts/result.ts';
import type { WorklogLine } from '../../src/base/worklog.ts';

export const sampleId = delegationIdSchema.parse('sess_1767225600_k3x9q1');

export function sampleResult(changes: Partial<Result> = {}): Result {
  return {
    contract: 'worker-report',
    status: 'completed',
    summary: 'All done.',
    artifacts: [],
    filesTouched: [],
    checks: [],
    notes: [],
    errors: [],
    metadata: {},
    fields: {},
    wireFormat: 'report',
    deviations: [],
    degraded: [],
    ...changes,
  };
}

/** As it stands in a file: nothing has been read yet. */
export function sampleAssignment(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    schema_version: '1.0.0',
    run_id: 'run_01JB2Q8Y6M',
    session_id: sampleId,
    delegation_depth: 1,
    delegation_path: ['orchestrator', 'implement', 'worker'],
    timeout: 900,
    agent: 'worker',
    contract: 'worker-report',
    task: {
      id: '2.3',
      description: 'Round cart totals once, at the end.',
      acceptance: ['Totals are rounded to cents', 'No other total changes'],
      scope: ['src/cart'],
      report_path: 'reports/2.3.md',
      worklog_path: 'worklogs/2.3.jsonl',
    },
    task_context: { task_number: 7, description: 'Move the cart to cents', language: 'typescript' },
    ...changes,
  };
}

export function sampleLine(changes: Partial<WorklogLine> = {}): WorklogLine {
  return {
    version: 1,
    time: '2026-01-01T00:00:00Z',
    delegation_id: sampleId,
    task_id: '2.3',
    kind: 'note',
    message: 'Read the cart',
    ...changes,
  };
}
