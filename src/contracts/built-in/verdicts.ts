/** Verdicts: the one-line contracts of the architect and of wave and task reviews. */
import { defineContract } from '../contract.ts';

export const architect = defineContract({
  name: 'architect',
  version: 1,
  purpose: 'write a plan to a file and return its path',
  wireFormat: 'line',
  role: 'plan',
  line: ['role', 'status', 'path'],
  fields: {
    status: { type: 'status', is: 'status', about: 'success when the plan is written' },
    path: { type: 'path', presence: 'or-none', feeds: 'plan', about: 'the plan file' },
  },
  summary: 'plan {path}',
  rules: [
    { when: { status: 'completed' }, then: { path: { empty: false } }, because: 'a finished plan names its file' },
    { when: { status: 'partial' }, then: { path: { empty: false } }, because: 'a partial plan names its file' },
    {
      when: { status: 'blocked' },
      then: { path: { empty: false } },
      because: 'a blocked architect names the file that explains the blocker',
    },
  ],
  actions: [
    { when: { status: 'completed' }, action: 'record' },
    { when: { status: 'partial' }, action: 'continue' },
    { when: { status: { not: 'completed' } }, action: 'halt' },
  ],
  example: { status: 'completed', path: '.divisi/runs/r1/reports/wave-1/task-plan.md' },
});

/** Shared by both reviews. A review with a verdict is completed, whatever the verdict. */
const verdict = {
  version: 1,
  wireFormat: 'line',
  line: ['priority', 'action', 'path'],
  fields: {
    priority: {
      type: 'choice',
      of: ['HIGH', 'MED', 'LOW'],
      aliases: { MEDIUM: 'MED' },
      about: 'HIGH: fix now, MED: fix later, LOW: continue',
    },
    action: { type: 'text', about: 'the one thing to do, in a few words joined by dashes' },
    path: { type: 'path', feeds: 'report', about: 'the file with the whole review' },
  },
  statusWhen: [],
  summary: '{priority}: {action}',
  rules: [],
  actions: [
    { when: { priority: 'HIGH' }, action: 'fix' },
    { when: { priority: 'MED' }, action: 'defer' },
    { when: { priority: 'LOW' }, action: 'proceed' },
  ],
} as const;

export const waveReview = defineContract({
  ...verdict,
  name: 'wave-review',
  purpose: 'review all reports of a wave and give one verdict',
  example: { priority: 'HIGH', action: 'fix-rounding-in-refunds', path: '.divisi/runs/r1/wave-2/wave-review.md' },
});

export const taskReview = defineContract({
  ...verdict,
  name: 'task-review',
  purpose: 'review the changes of one task and give one verdict',
  example: { priority: 'LOW', action: 'rename-helper', path: '.divisi/runs/r1/wave-2/task-2.3-review.md' },
});
