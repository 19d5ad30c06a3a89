/**
 * Words that others branch on. A word may be added, at the right place and with a note in the changelog; taking one away
 * or changing one breaks its users.
 */
import { expect, it } from 'vitest';
import { wireFormats } from '../../src/contracts/wire/raw.ts';
import { exitCodes } from '../../src/cli/output.ts';
import { actions } from '../../src/contracts/contract.ts';
import { errorCodes } from '../../src/base/error.ts';
import { deviationCodes, violationCodes } from '../../src/contracts/finding.ts';
import { artifactTypes, checkStatuses, degradedFlags, fileActions } from '../../src/contracts/result.ts';
import { statuses } from '../../src/contracts/status.ts';
import { worklogKinds } from '../../src/base/worklog.ts';

it('error codes', () => {
  expect(errorCodes).toEqual([
    'ADOPT_REFUSED',
    'AGENT_FILE_INVALID',
    'AGENT_UNKNOWN',
    'ASSIGNMENT_INVALID',
    'BRIEF_BUDGET_TOO_SMALL',
    'CHECKPOINT_UNKNOWN',
    'COMMAND_FILE_INVALID',
    'CONFIG_INVALID',
    'CONFINE_UNAVAILABLE',
    'CONTRACT_FILE_INVALID',
    'CONTRACT_UNKNOWN',
    'DELEGATION_REFUSED',
    'DRIVER_UNKNOWN',
    'EVENT_INVALID',
    'GIT_FAILED',
    'GIT_MISSING',
    'INPUT_TOO_LARGE',
    'INPUT_UNREADABLE',
    'LEASE_HELD',
    'LEASE_LOST',
    'LEDGER_CORRUPT',
    'LEDGER_FULL',
    'LEDGER_NEWER',
    'LEDGER_UNWRITABLE',
    'MARKS_UNMERGED',
    'MERGE_REFUSED',
    'PATH_OUTSIDE',
    'PLAN_FINISHED',
    'PLAN_INVALID',
    'PLAN_SIMILAR',
    'PLAN_UNCONFIRMED',
    'PLAN_UNREADABLE',
    'PLAN_UNWRITABLE',
    'PROJECT_UNTRUSTED',
    'REPOSITORY_CHANGED',
    'REPOSITORY_LOCKED',
    'RESUME_NOT_READY',
    'RUN_CONDUCTED',
    'RUN_ENDED',
    'RUN_UNFINISHED',
    'RUN_UNKNOWN',
    'SCENARIO_INVALID',
    'STATE_UNSAFE',
    'TASK_FILES_UNUSABLE',
    'TASK_TRANSITION',
    'TASK_UNKNOWN',
    'UPDATE_REFUSED',
    'USAGE',
    'WORKLOG_LINE_INVALID',
    'WORKLOG_UNWRITABLE',
    'WORKSPACE_BASE_UNKNOWN',
    'WORKSPACE_PATH_MISSING',
    'WORKSPACE_SETUP_FAILED',
    'WORKSPACE_TEARDOWN_FAILED',
    'WORKSPACE_UNSUPPORTED',
  ]);
});

it('violation codes', () => {
  expect(violationCodes).toEqual([
    'agent-mismatch',
    'artifact-empty',
    'artifact-missing',
    'artifact-outside',
    'block-unterminated',
    'delegation-mismatch',
    'empty',
    'frontmatter-too-large',
    'frontmatter-unterminated',
    'json-invalid',
    'line-too-long',
    'missing',
    'no-phases',
    'no-return',
    'not-a-choice',
    'out-of-range',
    'path-outside',
    'plan-fault',
    'report-not-read',
    'rule-broken',
    'too-large',
    'too-long',
    'too-many',
    'wrong-type',
    'yaml-refused',
  ]);
});

it('deviation codes', () => {
  expect(deviationCodes).toEqual([
    'block-in-pieces',
    'block-long',
    'characters-replaced',
    'coerced',
    'duplicate-key',
    'fence-around',
    'json-repaired',
    'key-spelling',
    'list-unbracketed',
    'misplaced-field',
    'none-not-offered',
    'number-with-unit',
    'path-absolute',
    'several-returns',
    'spelling',
    'status-alias',
    'summary-long',
    'summary-missing',
    'text-around',
    'unknown-field',
    'wire-format',
    'yaml-salvaged',
  ]);
});

it('exit codes', () => {
  expect(exitCodes).toEqual({
    valid: 0,
    violations: 1,
    completed: 0,
    failed: 1,
    usage: 2,
    paused: 3,
    cancelled: 4,
    needsAnswer: 5,
    internal: 70,
    unwritten: 74,
  });
});

it('words of the envelope', () => {
  expect({
    statuses,
    actions,
    wireFormats,
    artifactTypes,
    checkStatuses,
    degradedFlags,
    fileActions,
    worklogKinds,
  }).toEqual({
    statuses: ['completed', 'partial', 'failed', 'blocked'],
    actions: ['record', 'continue', 'review', 'fix', 'defer', 'proceed', 'commit', 'halt'],
    wireFormats: ['report', 'json', 'block', 'line'],
    artifactTypes: ['plan', 'report', 'summary', 'implementation', 'documentation'],
    checkStatuses: ['pass', 'fail', 'skip'],
    degradedFlags: ['secret-redacted'],
    fileActions: ['create', 'edit', 'delete', 'rename'],
    worklogKinds: ['started', 'note', 'decision', 'file', 'command', 'issue', 'finished'],
  });
});
