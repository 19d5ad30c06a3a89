/** Decides the next step of a gate from its last verdict: review, fix, defer, ask a person, or pass. */
import { oneLine } from '../../base/text.ts';
import { afterFix, afterVerdict, type GateKind, type GateStep, mostRounds } from '../../gates/gate-steps.ts';
import { requestCheckpoint, type Decision, record } from './decision.ts';
import {
  auditTask,
  finalReviewTask,
  findingFixTask,
  gateFixTask,
  isOwnVerdict,
  taskReviewTask,
  waveReviewTask,
} from './gate-tasks.ts';
import { type Finding, type Gate, newGate, taskOfGate } from '../state/gate.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import type { GateRole } from '../event/role.ts';
import type { RunState, WaveState } from '../state/state.ts';
import { checkOf } from './steps.ts';
import type { TaskState } from '../state/task-state.ts';

const reviewRoles: Readonly<Record<GateKind, GateRole>> = {
  wave: 'wave-review',
  task: 'task-review',
  final: 'final-review',
  audit: 'audit',
};

/** `pass`: the gate is open. `wait`: a review, a fix or a person is pending. `do`: the gate's next step. */
export type GateMove =
  | { readonly kind: 'pass' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'do'; readonly decision: Decision };

const pass: GateMove = { kind: 'pass' };
const take = (decision: Decision): GateMove => ({ kind: 'do', decision });

export function nextGateMove(state: RunState, wave: WaveState, key: string, kind: GateKind): GateMove {
  const gate = state.gates.get(key) ?? newGate(key, kind);
  const step = stepOf(gate);
  switch (step) {
    case 'wait':
      return { kind: 'wait' };
    case 'pass':
      return pass;
    case 'review': {
      const check = kind === 'wave' ? checkOf(state, wave, key) : undefined;
      if (check !== undefined) return take({ kind: 'step', step: check });
      if (kind === 'wave' && state.created.settings.reviews === 'off') return pass;
      return take(added(wave, reviewRoles[kind], key, review(state, wave, gate)));
    }
    case 'fix':
      return take(added(wave, 'fix', key, gateFixTask(state, gate, subjectsOf(state, wave))));
    case 'defer': {
      const isNew = gate.status === 'reviewed' && !state.findings.has(findingId(gate));
      return isNew ? take(deferred(wave, gate)) : pass;
    }
    case 'ask':
      return take(requestCheckpoint(state, { type: 'review', why: whyAsked(gate), gate: key }));
    default:
      return step satisfies never;
  }
}

function stepOf(gate: Gate): GateStep | 'wait' {
  switch (gate.status) {
    case 'due':
      return 'review';
    case 'reviewed':
      return gate.verdict === null ? 'ask' : afterVerdict(gate.kind, gate.verdict.priority, gate.round);
    case 'fixed':
      return afterFix(gate.kind);
    case 'passed':
      return 'pass';
    case 'reviewing':
    case 'fixing':
    case 'asking':
      return 'wait';
    default:
      return gate.status satisfies never;
  }
}

function reviewOf({ kind, key }: Gate): string {
  switch (kind) {
    case 'audit':
      return 'the audit';
    case 'final':
      return 'the final review';
    case 'task':
      return `the review of task ${taskOfGate(key)}`;
    case 'wave':
      return `the review of ${key.replace('-', ' ')}`;
    default:
      return kind satisfies never;
  }
}

function whyAsked(gate: Gate): string {
  const what = isOwnVerdict(gate) ? `the result of task ${taskOfGate(gate.key)}` : reviewOf(gate);
  if (gate.verdict === null) return `${what} gave no verdict`;
  if (gate.verdict.priority === 'HALT') return `${what} asks for a person: ${oneLine(gate.verdict.action, 200)}`;
  const rounds = gate.kind === 'audit' ? '' : ` after ${mostRounds} rounds`;
  return `${what} still says ${gate.verdict.priority}${rounds}: ${oneLine(gate.verdict.action, 200)}`;
}

function added(wave: WaveState, role: GateRole, gate: string, task: PlannedTask): Decision {
  return record({ kind: 'task.added', wave: wave.number, role, gate, task });
}

function review(state: RunState, wave: WaveState, gate: Gate): PlannedTask {
  switch (gate.kind) {
    case 'wave':
      return waveReviewTask(wave, gate, state.waves.length === 1);
    case 'final':
      return finalReviewTask(state, gate);
    case 'audit':
      return auditTask(state, gate);
    case 'task':
      return taskReviewTask(state.tasks.get(taskOfGate(gate.key)) as TaskState, gate);
    default:
      return gate.kind satisfies never;
  }
}

function subjectsOf(state: RunState, wave: WaveState): readonly TaskState[] {
  return wave === state.final || wave === state.audit ? [...state.tasks.values()] : wave.tasks;
}

/** One for each attempt that judges itself, and one for each review. */
function findingId({ key, verdict, reviews }: Gate): string {
  const [source, number] = verdict?.attempt === undefined ? ['review', reviews] : ['result', verdict.attempt];
  return `${key}:${source}${number === 1 ? '' : `-${number}`}`;
}

function deferred(wave: WaveState, gate: Gate): Decision {
  return record({
    kind: 'finding.deferred',
    finding: findingId(gate),
    wave: wave.number,
    action: oneLine(gate.verdict?.action ?? '', 200),
    ...(gate.report === null ? {} : { report: gate.report }),
  });
}

/** Gives findings deferred by earlier waves to fixers, alongside this wave's tasks. */
export function assignFindings(state: RunState, wave: WaveState): readonly Decision[] {
  const given: Decision[] = [];
  for (const id of state.index.deferred) {
    const finding = state.findings.get(id) as Finding;
    if (finding.wave >= wave.number) continue;
    const subjects = subjectsOf(state, state.waves[finding.wave - 1] ?? state.final);
    const task = findingFixTask(finding, subjects);
    given.push(record({ kind: 'task.added', wave: wave.number, role: 'fix', gate: id, finding: id, task }));
  }
  return given;
}
