/** Worker report: the contract of workers and fixers. The full report of one task, written to a file. */
import { defineContract } from '../contract.ts';
import { limits } from '../field.ts';
import { checkStatuses, fileActions } from '../result.ts';

export const workerReport = defineContract({
  name: 'worker-report',
  version: 1,
  purpose: 'report on one task: the files it touched, and each acceptance criterion with its evidence',
  wireFormat: 'report',
  fields: {
    schema_version: { type: 'text', is: 'schema-version', about: 'version of this report form, 1.0.0' },
    run_id: { type: 'text', is: 'run-id', about: 'the run you were given' },
    task_id: { type: 'text', is: 'task-id', about: 'the task you were given' },
    status: { type: 'status', is: 'status', about: 'done when every criterion passes' },
    files_touched: {
      type: 'list',
      is: 'files',
      about: 'every file you changed',
      of: {
        type: 'record',
        fields: {
          resource: { type: 'path', about: 'the file' },
          action: {
            type: 'choice',
            of: fileActions,
            aliases: {
              created: 'create',
              add: 'create',
              edited: 'edit',
              modify: 'edit',
              modified: 'edit',
              update: 'edit',
              deleted: 'delete',
              remove: 'delete',
              renamed: 'rename',
              move: 'rename',
            },
            about: 'what you did to it',
          },
        },
      },
    },
    acceptance_check: {
      type: 'list',
      is: 'checks',
      about: 'one row for each acceptance criterion, with the evidence',
      of: {
        type: 'record',
        fields: {
          criterion: { type: 'text', about: 'its number and its words, as given to you' },
          status: {
            type: 'choice',
            of: checkStatuses,
            aliases: { passed: 'pass', failed: 'fail', skipped: 'skip' },
            about: 'whether it holds',
          },
          evidence: { type: 'text', presence: 'optional', about: 'the command you ran and its result' },
        },
      },
    },
    notes_for_orchestrator: {
      type: 'list',
      is: 'notes',
      of: { type: 'text' },
      about: 'anything else the orchestrator must know',
    },
    worklog_path: { type: 'path', is: 'worklog-path', about: 'the worklog you kept' },
    summary: {
      type: 'text',
      is: 'summary',
      section: 'Summary',
      maxLength: limits.summaryMax,
      warnAbove: limits.summaryGood,
      about: 'what was done, in two to five sentences',
    },
    decisions: {
      type: 'list',
      presence: 'optional',
      section: 'Decisions',
      of: { type: 'text' },
      about: 'choices you made, and why',
    },
    issues: {
      type: 'list',
      presence: 'optional',
      section: 'Issues',
      feeds: 'problems',
      of: { type: 'text' },
      about: 'what went wrong or is still open',
    },
  },
  summary: '{status}: {files_touched} files touched, {acceptance_check} criteria checked',
  rules: [
    {
      when: { status: 'completed' },
      then: { acceptance_check: { empty: false } },
      because: 'a completed report checks its acceptance criteria',
    },
    {
      when: { status: 'completed' },
      then: { acceptance_check: { every: { status: 'pass', evidence: { empty: false } } } },
      because: 'every check of a completed report passes and names its evidence',
    },
    {
      when: { status: 'blocked' },
      then: { issues: { empty: false } },
      because: 'a blocked report names the blocker under Issues',
    },
    {
      when: { status: 'failed' },
      then: { issues: { empty: false } },
      because: 'a failed report explains the failure under Issues',
    },
    {
      when: { status: 'partial' },
      then: { issues: { empty: false } },
      because: 'a partial report lists under Issues what is left',
    },
  ],
  actions: [
    { when: { status: 'completed' }, action: 'proceed' },
    { when: { status: 'partial' }, action: 'continue' },
    { when: { status: 'blocked' }, action: 'halt' },
  ],
  example: {
    schema_version: '1.0.0',
    run_id: 'run_01JB2Q8Y6M',
    task_id: '2.3',
    status: 'completed',
    files_touched: [{ resource: 'src/cart/total.ts', action: 'edit' }],
    acceptance_check: [
      { criterion: 'C1: Totals are rounded to cents', status: 'pass', evidence: 'npm test -- cart: 14 passed' },
    ],
    notes_for_orchestrator: ['Task 2.4 can reuse roundToCents'],
    worklog_path: 'worklogs/2.3.jsonl',
    summary: 'Cart totals are now rounded once, at the end. Two tests cover the cases that were off by a cent.',
    decisions: ['Rounded half to even, as the invoices do'],
    issues: [],
  },
});
