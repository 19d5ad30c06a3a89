/** Structured return: the contract of the agents behind the task commands. Status, summary, artifacts and metadata, as one JSON object. */
import { defineContract } from '../contract.ts';
import { limits } from '../field.ts';
import { artifactTypes } from '../result.ts';

export const structuredReturn = defineContract({
  name: 'structured-return',
  version: 1,
  purpose: 'report how the work ended and which artifacts it left',
  wireFormat: 'json',
  fields: {
    status: { type: 'status', is: 'status', about: 'partial can be resumed, failed cannot' },
    summary: {
      type: 'text',
      is: 'summary',
      maxLength: limits.summaryMax,
      warnAbove: limits.summaryGood,
      about: 'what was done, in two to five sentences',
    },
    artifacts: {
      type: 'list',
      is: 'artifacts',
      about: 'every file you created that others will read',
      of: {
        type: 'record',
        fields: {
          type: { type: 'choice', of: artifactTypes, about: 'what it is' },
          path: { type: 'path', about: 'where it is' },
          summary: { type: 'text', about: 'what is in it' },
        },
      },
    },
    metadata: {
      type: 'record',
      is: 'metadata',
      about: 'the delegation you were given',
      fields: {
        session_id: { type: 'id', about: 'your delegation id, unchanged' },
        agent_type: { type: 'text', about: 'your name' },
        delegation_depth: { type: 'number', integer: true, min: 0, about: 'as given to you' },
        delegation_path: { type: 'list', of: { type: 'text' }, about: 'as given to you' },
        duration_seconds: { type: 'number', min: 0, presence: 'optional', about: 'how long it took' },
        phase_count: { type: 'number', integer: true, min: 0, presence: 'optional', about: 'phases in a plan' },
        estimated_hours: { type: 'number', min: 0, presence: 'optional', about: 'effort a plan estimates' },
        findings_count: { type: 'number', integer: true, min: 0, presence: 'optional', about: 'findings of research' },
      },
    },
    errors: {
      type: 'list',
      is: 'errors',
      presence: 'optional',
      about: 'what went wrong; required unless completed',
      of: {
        type: 'record',
        fields: {
          type: { type: 'text', about: 'validation, execution, timeout, permission or another word' },
          code: { type: 'text', presence: 'optional', about: 'a stable code, if there is one' },
          message: { type: 'text', about: 'what happened' },
          recoverable: { type: 'flag', about: 'whether trying again can help' },
          recommendation: { type: 'text', about: 'what to do about it' },
        },
      },
    },
    next_steps: { type: 'text', is: 'next-steps', presence: 'optional', about: 'what the person should do next' },
  },
  rules: [
    {
      when: { status: { not: 'completed' } },
      then: { errors: { empty: false } },
      because: 'errors are required unless the status is completed',
    },
    {
      when: { status: 'completed' },
      then: { artifacts: { empty: false } },
      because: 'artifacts may be empty only when the status is failed or blocked',
    },
    {
      when: { status: 'partial' },
      then: { artifacts: { empty: false } },
      because: 'artifacts may be empty only when the status is failed or blocked',
    },
  ],
  actions: [
    { when: { status: 'completed' }, action: 'proceed' },
    { when: { status: 'partial' }, action: 'continue' },
    { when: { status: 'blocked' }, action: 'halt' },
  ],
  example: {
    status: 'partial',
    summary: 'Two of three import formats are supported. The third needs a licence that is not installed.',
    artifacts: [{ type: 'implementation', path: 'src/import/csv.ts', summary: 'CSV and TSV import' }],
    metadata: {
      session_id: 'sess_1767225600_k3x9q1',
      agent_type: 'implementer',
      delegation_depth: 1,
      delegation_path: ['orchestrator', 'implement', 'implementer'],
      duration_seconds: 840,
    },
    errors: [
      {
        type: 'permission',
        message: 'The xlsx library asks for a licence key',
        recoverable: true,
        recommendation: 'Install the key, then resume',
      },
    ],
    next_steps: 'Install the licence key and resume the task',
  },
});
