/** Short helpers for settling work in tests: verified, merged or rejected. */
import { decide } from '../../src/core/decide/decide.ts';
import type { RunState } from '../../src/core/state/state.ts';
import type { Step } from '../../src/core/decide/steps.ts';
import type { AcceptCommand } from '../../src/core/decide/accept-commands.ts';
import type { BaseCheck } from '../../src/core/event/base-check.ts';
import type { Verification, WorkFinding, WorkspaceFacts } from '../../src/core/event/verification.ts';
import { advance, createdRun, end, happen, planOf, type TaskWords } from './state-of.ts';

export const workspaceFacts: WorkspaceFacts = {
  kind: 'git',
  base: 'ba5e',
  branch: 'divisi/a-run',
  identity: { name: 'A', email: 'a@localhost' },
  uncommitted: 0,
  prefix: '',
  setup: [],
  link: [],
  copy: [],
  accept: [],
  forbidden: [],
  environment: [],
  timeout: 600,
};

/** A command that is green at the base, unless said otherwise. */
export function baseCheckOf({ argv, from }: AcceptCommand, more: Partial<BaseCheck> = {}): BaseCheck {
  return { argv: [...argv], from, result: 'green', end: 'exit code 0', milliseconds: 1, ...more };
}

export function stepsOf(state: RunState): Step[] {
  return decide(state).flatMap((command) => (command.kind === 'step' ? [command.step] : []));
}

export function verificationOf(more: Partial<Verification> = {}): Verification {
  const nothing = { changes: [], changed: 0, linesAdded: 0, linesDeleted: 0, findings: [], commands: [] };
  return { verdict: 'verified', base: 'ba5e', ...nothing, milliseconds: 1, ...more };
}

export function refusal(fact: string, more: Partial<WorkFinding> = {}): Partial<Verification> {
  return { verdict: 'rejected', findings: [{ kind: 'outside-scope', rejects: true, fact, paths: [], ...more }] };
}

/** Whatever waits for the base is green there, or as said. */
export function checkBase(state: RunState, more: Partial<BaseCheck> = {}): RunState {
  for (const step of stepsOf(state)) {
    if (step.purpose !== 'canary') continue;
    const { base, updates } = step;
    happen(state, { kind: 'base.checked', base, updates, check: baseCheckOf(step.command, more) });
  }
  return state;
}

/** With a commit that goes by the name of its task; null: nothing has changed. */
export function verify(
  state: RunState,
  task: string,
  more: Partial<Verification> = {},
  commit: string | null = `work-${task}`,
): RunState {
  const progress = state.index.settling.get(task)?.progress;
  if (progress?.status !== 'verifying') throw new Error(`${task} is not to be verified`);
  checkBase(state);
  const verification = verificationOf({ ...(commit === null ? {} : { commit }), ...more });
  return happen(state, { kind: 'task.verified', task, delegation: progress.delegation, verification });
}

/** What is being merged now lands on the branch. */
export function merge(state: RunState, commit: string): RunState {
  if (state.merge === null) throw new Error('nothing is being merged');
  const { task, delegation } = state.merge;
  return happen(state, { kind: 'task.merged', task, delegation, commit });
}

export function conflict(state: RunState): RunState {
  if (state.merge === null) throw new Error('nothing is being merged');
  const { task, delegation } = state.merge;
  const conflicts = [{ path: 'src/a.ts', why: 'both changed it', merged: 'one', own: 'two' }];
  return happen(state, { kind: 'task.conflicted', task, delegation, onto: 'head', conflicts });
}

export interface RunOptions {
  readonly concurrency?: number;
  readonly workspace?: Partial<WorkspaceFacts>;
  readonly isConfirmed?: boolean;
}

type Waves = readonly (readonly TaskWords[])[];

export function createdRunOf(waves: Waves, options: RunOptions = {}): RunState {
  const { concurrency = 3, workspace = {}, isConfirmed = true } = options;
  return createdRun(planOf(waves), concurrency, true, { workspace: { ...workspaceFacts, ...workspace }, isConfirmed });
}

/** Agents are running by now. */
export function startedRunOf(waves: Waves, options: RunOptions = {}): RunState {
  const state = happen(createdRunOf(waves, options), { kind: 'run.started', command: 'x' });
  advance(state);
  return state;
}

/** One after another: as its agent says, and as it was found. */
export function complete(state: RunState, ...tasks: readonly string[]): RunState {
  for (const task of tasks) {
    end(state, task, 'completed');
    verify(state, task);
    advance(state);
    merge(state, `merged-${task}`);
    advance(state);
  }
  return state;
}

export const running = ({ active }: RunState): string[] =>
  Array.from(active.values(), ({ registered }) => registered.task);
