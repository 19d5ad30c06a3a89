/** One valid return per built-in contract, value by value as an agent writes it, and the same values in each wire format. */
import type { Contract } from '../../src/contracts/contract.ts';
import type { WireFormat } from '../../src/contracts/wire/raw.ts';
import { contractsByName, findContract } from '../../src/contracts/registry.ts';
import { sampleId } from './samples.ts';

export type WireValues = Readonly<Record<string, unknown>>;

const verdict: WireValues = { priority: 'MED', action: 'split-module', path: 'reviews/wave-1.md' };

export const validReturns: Readonly<Record<string, WireValues>> = {
  'worker-report': {
    schema_version: '1.0.0',
    run_id: 'run-1',
    task_id: 'T-1',
    status: 'completed',
    files_touched: [{ resource: 'src/a.ts', action: 'edit' }],
    acceptance_check: [{ criterion: 'it works', status: 'pass', evidence: '3 tests passed' }],
    notes_for_orchestrator: ['nothing else changed'],
    worklog_path: 'worklogs/T-1.jsonl',
    summary: 'It works now.',
    decisions: ['kept the old name'],
    issues: ['the docs are old'],
  },
  'structured-return': {
    status: 'completed',
    summary: 'The plan is written.',
    artifacts: [{ type: 'plan', path: 'plans/a.md', summary: 'three phases' }],
    metadata: {
      session_id: sampleId,
      agent_type: 'planner',
      delegation_depth: 1,
      delegation_path: ['orchestrator', 'planner'],
    },
    errors: [{ type: 'execution', message: 'one source was slow', recoverable: true, recommendation: 'nothing to do' }],
    next_steps: 'Implement it',
  },
  architect: { status: 'completed', path: 'plans/a.md' },
  'wave-review': verdict,
  'task-review': verdict,
  'todo-doc-generator': { path: 'todo/a.md', dependencies: ['auth'], priority: 2, phases: 3, complexity: 'low' },
  'tdd-task-executor': {
    phase: '1/2',
    phase_complete: false,
    files_changed: ['src/a.ts'],
    files_created: ['src/b.ts'],
    tests_added: 2,
    tests_passing: false,
    test_failures: ['b is empty'],
    blockers: 'the schema is not decided',
    next_action: 'decide the schema',
  },
  'code-reviewer': {
    approved: false,
    issues_total: 4,
    critical: ['money is lost'],
    major: ['no test'],
    minor: ['a long name'],
    security: 'the key is logged',
    test_coverage: 'insufficient',
    recommendation: 'block',
  },
  'code-simplifier': {
    simplified: true,
    files_modified: ['src/a.ts'],
    lines_removed: 12,
    complexity_reduction: 'low',
    changes_summary: 'One loop instead of two',
  },
  'silent-failure-hunter': {
    silent_failures_found: 1,
    locations: ['src/a.ts:3 drops an error'],
    severity: 'low',
    recommendations: ['return it'],
  },
  'review-pr': {
    ready_to_merge: false,
    blocking_issues: ['no way back'],
    warnings: ['large change'],
    test_status: 'some-fail',
    files_reviewed: 5,
    approval_confidence: 'high',
    final_recommendation: 'revise',
  },
  'type-design-analyzer': {
    types_analyzed: 3,
    quality_score: 6,
    issues: ['a string for an id'],
    recommendations: ['brand it'],
  },
};

const contracts = contractsByName();

export function contractNamed(name: string): Contract {
  return findContract(contracts, name);
}

/** The valid return of a contract with some values changed; `undefined` leaves one out. */
export function valuesOf(name: string, changes: WireValues = {}): WireValues {
  const all = { ...validReturns[name], ...changes };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function inline(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function asBlock(values: WireValues): string {
  return [
    '---OUTPUT---',
    ...Object.entries(values).map(([key, value]) => `${key}: ${inline(value)}`),
    '---END---',
  ].join('\n');
}

export function asReport(values: WireValues): string {
  return ['---', ...Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}`), '---', ''].join(
    '\n',
  );
}

export function asJson(values: WireValues): string {
  return JSON.stringify(values, null, 2);
}

function asLine(name: string, values: WireValues): string {
  const { line = [], role = 'worker' } = contractNamed(name);
  return line.map((part) => (part === 'role' ? role : inline(values[part]))).join('|');
}

export function written(format: WireFormat, name: string, values: WireValues): string {
  switch (format) {
    case 'block':
      return asBlock(values);
    case 'report':
      return asReport(values);
    case 'json':
      return asJson(values);
    case 'line':
      return asLine(name, values);
    default:
      return format satisfies never;
  }
}
