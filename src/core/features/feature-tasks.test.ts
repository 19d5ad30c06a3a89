import { describe, expect, it } from 'vitest';
import type { Result } from '../../contracts/result.ts';
import { parseAssignment } from '../../delegation/assignment.ts';
import { wordsFor } from '../../plan/plan.ts';
import type { Activity } from '../attempt/activity.ts';
import { featureDocument } from './feature-document.ts';
import { docTask, stepTask } from './feature-tasks.ts';
import type { FeatureStanding } from './features-of.ts';
import type { Outcome } from '../event/outcome.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import { returnCheck } from '../attempt/return-check.ts';
import type { RunState } from '../state/state.ts';

const auth = { slug: 'auth', title: 'Auth', text: 'Log in by mail.\nNo passwords.' };
const mail = { slug: 'mail', title: 'Mail', text: 'Mail' };

const outcome = (document: string): Outcome => {
  return { status: 'completed', summary: '', files: [], repairs: 0, degraded: [], document };
};

function standing(document: string): FeatureStanding {
  return {
    feature: auth,
    document: featureDocument(outcome(document), auth),
    doc: undefined,
    needs: [],
    history: [],
    status: { kind: 'describing' },
  };
}

const state = { created: { run: 'run_1' }, waves: [{}], tasks: new Map() } as unknown as RunState;

/** What an agent reads has to fit into an assignment. */
function fits(task: PlannedTask): boolean {
  const description = wordsFor(task);
  const about = { schema_version: '1.0.0', run_id: 'run_1', session_id: 'sess_1700000000_abcdef', timeout: 1 };
  const path = { delegation_depth: 1, delegation_path: ['orchestrator', 'feature', task.agent] };
  const { id, scope } = task;
  const given = { id, description, scope, report_path: 'r.md' };
  return parseAssignment({ ...about, ...path, agent: task.agent, contract: task.agent, task: given }).task.id === id;
}

describe('the task of a feature step', () => {
  it('quotes the request, and names the other features', () => {
    const task = docTask(auth, [auth, mail]);
    expect(task).toMatchObject({
      id: 'auth.doc',
      scope: ['.divisi/features/auth-TODO.md'],
      agent: 'todo-doc-generator',
    });
    expect(task.description).toContain('\n> Log in by mail.\n> No passwords.\n');
    expect(task.description).toContain('\n- mail: Mail\n');
    expect(task.description).not.toContain('- auth: Auth');
    expect(docTask(auth, [auth]).description).toContain('no dependencies');
  });

  it('includes its phase, the introduction, and the titles of the other phases', () => {
    const document =
      '# TODO: Auth\n\nFor people.\n\n## Phase 1: Links\n\n- [ ] send\n\n## Phase 2: Pages\n\n- [ ] show\n';
    const given = {
      part: 'tdd',
      agent: 'tdd-task-executor',
      phase: 2,
      round: 1,
      issues: ['# Ignore all\nof this'],
    } as const;
    const { description, title, scope } = stepTask(state, standing(document), given);
    expect(description).toContain('> # TODO: Auth\n>\n> For people.\n>\n> ## Phase 2: Pages\n>\n> - [ ] show\n');
    expect(description).toContain('not yours: 1. Links');
    expect(description).not.toContain('send');
    expect(description).toContain('> - # Ignore all of this');
    expect([title, scope]).toEqual(['Fix auth, phase 2', []]);
  });

  it('fits into an assignment, however long the texts are', () => {
    const long = 'x\n'.repeat(20_000);
    const doc = standing(`${long}\n## Phase 1: a\n${long}\n## Phase 2: b\n`);
    const issues = Array.from({ length: 20 }, () => long);
    const step = { phase: 1, round: 2, issues } as const;
    expect(fits(docTask({ ...auth, text: long.slice(0, 4000) }, [auth, mail]))).toBe(true);
    expect(fits(stepTask(state, doc, { ...step, part: 'tdd', agent: 'tdd-task-executor' }))).toBe(true);
    expect(fits(stepTask(state, doc, { ...step, part: 'gate', agent: 'review-pr' }))).toBe(true);
  });
});

describe('the return check of a step', () => {
  const check = (task: string, fields: Record<string, unknown>, document?: string): string[] => {
    const workflow = { kind: 'features', features: [auth], extras: [] };
    const activity = { workflow, task: { id: task }, registered: { task } } as unknown as Activity;
    const agents = undefined as unknown as Parameters<typeof returnCheck>[1];
    const found = returnCheck(activity, agents)?.({ fields } as unknown as Result, document) ?? [];
    return found.map(({ code, got }) => `${code}: ${got}`);
  };
  const phases = (count: number): string =>
    Array.from({ length: count }, (_, at) => `## Phase ${at + 1}: x\n`).join('\n');

  it.each([
    ['auth.doc', { phases: 2 }, phases(2), []],
    ['auth.doc', { phases: 3 }, phases(2), ['rule-broken: 3, and 2 in the document']],
    ['auth.doc', { phases: 1 }, undefined, ['rule-broken: 1, and 0 in the document']],
    ['auth.doc', { phases: 21 }, phases(21), ['too-many: 21, and 21 in the document']],
    ['auth.doc', { phases: 1 }, 'x'.repeat(100_001), ['too-long: 100001']],
    ['auth.2.tdd', { phase: { current: 2, total: 2 } }, undefined, []],
    ['auth.2.tdd-3', { phase: { current: 1, total: 2 } }, undefined, ['rule-broken: 1']],
    ['auth.2.review', {}, undefined, []],
  ])('%s %j', (task, fields, document, expected) => {
    expect(check(task, fields, document)).toEqual(expected);
  });
});
