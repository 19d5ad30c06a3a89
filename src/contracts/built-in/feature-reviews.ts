/** Feature reviews: contracts of the agents that review a feature's code. A valid review is completed whatever its verdict. */
import { defineContract } from '../contract.ts';

const texts = { type: 'list', presence: 'or-none', of: { type: 'text' } } as const;
const count = { type: 'number', integer: true, min: 0 } as const;

export const codeReviewer = defineContract({
  name: 'code-reviewer',
  version: 1,
  purpose: 'review code for quality and adherence to the standards of the project',
  wireFormat: 'block',
  fields: {
    approved: { type: 'flag', about: 'whether the code is acceptable as it is' },
    issues_total: { ...count, about: 'how many issues you found' },
    critical: { ...texts, feeds: 'notes', about: 'issues that must not ship' },
    major: { ...texts, feeds: 'notes', about: 'issues that should be fixed first' },
    minor: { ...texts, about: 'issues that can wait' },
    security: { type: 'text', presence: 'or-none', feeds: 'note', about: 'security concerns' },
    test_coverage: {
      type: 'choice',
      of: ['adequate', 'needs-improvement', 'insufficient'],
      about: 'how well the code is tested',
    },
    recommendation: { type: 'choice', of: ['approve', 'revise', 'block'], about: 'what should happen' },
  },
  statusWhen: [],
  summary: '{recommendation}: {issues_total} issues ({critical} critical, {major} major), coverage {test_coverage}',
  rules: [
    {
      when: { approved: true },
      then: { critical: { empty: true } },
      because: 'an approved review has no critical issue',
    },
    { when: { approved: true }, then: { recommendation: 'approve' }, because: 'an approved review recommends approve' },
    {
      when: { approved: false },
      then: { recommendation: { not: 'approve' } },
      because: 'a review that is not approved recommends revise or block',
    },
  ],
  actions: [
    { when: { approved: true }, action: 'proceed' },
    { when: { approved: false }, action: 'fix' },
  ],
  example: {
    approved: false,
    issues_total: 2,
    critical: ['Refunds can exceed the payment'],
    major: [],
    minor: ['The name amount2 says nothing'],
    security: null,
    test_coverage: 'needs-improvement',
    recommendation: 'block',
  },
});

export const silentFailureHunter = defineContract({
  name: 'silent-failure-hunter',
  version: 1,
  purpose: 'find errors that are swallowed or handled badly',
  wireFormat: 'block',
  fields: {
    silent_failures_found: { ...count, about: 'how many you found' },
    locations: { ...texts, feeds: 'notes', about: 'file:line and what happens there' },
    severity: { type: 'choice', of: ['none', 'low', 'medium', 'high', 'critical'], about: 'the worst of them' },
    recommendations: { type: 'list', of: { type: 'text' }, about: 'what to do about them' },
  },
  statusWhen: [],
  summary: '{silent_failures_found} silent failures, severity {severity}',
  rules: [
    {
      when: { silent_failures_found: { above: 0 } },
      then: { locations: { empty: false } },
      because: 'failures that were found need locations',
    },
    {
      when: { silent_failures_found: { above: 0 } },
      then: { severity: { not: 'none' } },
      because: 'failures that were found need a severity',
    },
    {
      when: { silent_failures_found: 0 },
      then: { severity: 'none' },
      because: 'without failures the severity is none',
    },
  ],
  actions: [
    { when: { severity: 'critical' }, action: 'fix' },
    { when: { severity: 'high' }, action: 'fix' },
    { when: { silent_failures_found: { above: 0 } }, action: 'defer' },
    { when: {}, action: 'proceed' },
  ],
  example: {
    silent_failures_found: 1,
    locations: ['src/refunds/mail.ts:88 - a failed send is only counted'],
    severity: 'medium',
    recommendations: ['Return the failure to the caller'],
  },
});

export const reviewPr = defineContract({
  name: 'review-pr',
  version: 1,
  purpose: 'decide as the last gate whether a change can be merged',
  wireFormat: 'block',
  fields: {
    ready_to_merge: { type: 'flag', about: 'whether it can be merged now' },
    blocking_issues: { ...texts, feeds: 'notes', about: 'what must be fixed first' },
    warnings: { ...texts, feeds: 'notes', about: 'what is worth knowing' },
    test_status: { type: 'choice', of: ['all-pass', 'some-fail', 'not-run'], about: 'how the tests ended' },
    files_reviewed: { ...count, about: 'how many files you read' },
    approval_confidence: { type: 'choice', of: ['low', 'medium', 'high'], about: 'how sure you are' },
    final_recommendation: { type: 'choice', of: ['merge', 'revise', 'reject'], about: 'what should happen' },
  },
  statusWhen: [],
  summary:
    '{final_recommendation}: {blocking_issues} blocking issues, tests {test_status}, confidence {approval_confidence}',
  rules: [
    {
      when: { ready_to_merge: true },
      then: { blocking_issues: { empty: true } },
      because: 'a change that is ready has no blocking issue',
    },
    {
      when: { ready_to_merge: true },
      then: { test_status: { not: 'some-fail' } },
      because: 'a change that is ready has no failing test',
    },
    {
      when: { ready_to_merge: true },
      then: { final_recommendation: 'merge' },
      because: 'a change that is ready is recommended for merge',
    },
    {
      when: { ready_to_merge: false },
      then: { final_recommendation: { not: 'merge' } },
      because: 'a change that is not ready is not recommended for merge',
    },
  ],
  actions: [
    { when: { ready_to_merge: true }, action: 'commit' },
    { when: { ready_to_merge: false }, action: 'fix' },
  ],
  example: {
    ready_to_merge: false,
    blocking_issues: ['The migration cannot be undone'],
    warnings: ['No test covers an empty ledger'],
    test_status: 'all-pass',
    files_reviewed: 12,
    approval_confidence: 'medium',
    final_recommendation: 'revise',
  },
});

export const typeDesignAnalyzer = defineContract({
  name: 'type-design-analyzer',
  version: 1,
  purpose: 'judge how well types express what is allowed',
  wireFormat: 'block',
  fields: {
    types_analyzed: { ...count, about: 'how many types you inspected' },
    quality_score: { type: 'number', integer: true, min: 1, max: 10, about: '10 is the best' },
    issues: { ...texts, feeds: 'notes', about: 'weak points of the types' },
    recommendations: { ...texts, about: 'what would be better' },
  },
  statusWhen: [],
  summary: '{types_analyzed} types, quality {quality_score}/10, {issues} issues',
  rules: [],
  actions: [
    { when: { issues: { empty: false } }, action: 'defer' },
    { when: {}, action: 'proceed' },
  ],
  example: {
    types_analyzed: 6,
    quality_score: 7,
    issues: ['Refund allows a negative amount'],
    recommendations: ['Brand the amount'],
  },
});
