/**
 * Decides the next step of a feature from its history alone.
 *
 *   tdd → review → each extra, in order → gate → the next phase
 *   review no, extra `fix` → tdd with the findings → review again; a person judges the third no since the start of the phase
 *   or its last gate
 *   extra `review` (it changed something) → review again; extra `defer` → noted, and continue
 *   gate no → tdd with what blocks it → review → gate; a person judges the third no here, too
 *   any step that halts → a person judges it at once
 *   a person's yes: continue as it is; a person's no with words: fixed accordingly, once more; any other no, or a step that
 *   did not complete: the feature is halted
 *
 * An extra is asked once in a phase, unless it has sent the work back, so every phase ends, whatever the answers.
 */
import type { Action } from '../../contracts/contract.ts';
import { mostRounds } from '../../gates/gate-steps.ts';
import type { FeaturePart } from '../event/workflow-step.ts';

/** A step of a feature, and its result. */
export interface FeatureTurn {
  readonly task: string;
  readonly phase: number;
  readonly part: FeaturePart;
  readonly agent: string;
  /** `open`: it waits or runs. `stopped`: it ended without completing, and is not retried. */
  readonly status: 'open' | 'completed' | 'stopped';
  /** By its contract; absent if a person accepted the work as done. */
  readonly action?: Action;
  /** Its findings, in an agent's words. */
  readonly notes: readonly string[];
  /** A person's answer to the third no, once asked. */
  readonly answer?: 'open' | 'yes' | 'no' | 'again';
  /** The words of that answer. */
  readonly said?: string;
}

export interface FeaturePlan {
  readonly phases: number;
  /** Agents, in order. */
  readonly extras: readonly string[];
  /** Phases that were finished before the run. */
  readonly done?: ReadonlySet<number>;
}

export const partAgents = { tdd: 'tdd-task-executor', review: 'code-reviewer', gate: 'review-pr' } as const;

export type NextStep =
  | {
      readonly kind: 'step';
      readonly phase: number;
      readonly part: FeaturePart;
      readonly agent: string;
      /** To fix. */
      readonly issues: readonly string[];
    }
  /** Waits for a step to end, or for a person. */
  | { readonly kind: 'wait'; readonly task: string }
  | { readonly kind: 'ask'; readonly task: string; readonly why: string }
  /** `byOther`: because of another feature, not of this task. */
  | { readonly kind: 'halted'; readonly task: string; readonly why: string; readonly byOther?: true }
  | { readonly kind: 'completed' };

interface PhaseProgress {
  readonly phase: number;
  readonly due: { readonly part: FeaturePart; readonly agent: string; readonly issues: readonly string[] };
  /** Times the work was sent back since the start of the phase or its last gate. */
  readonly refusals: number;
  readonly gateRefusals: number;
  /** Extras that are finished with this phase. */
  readonly asked: readonly string[];
}

type Stop = Exclude<NextStep, { kind: 'step' }>;

export function nextStep(history: readonly FeatureTurn[], plan: FeaturePlan): NextStep {
  let place = phaseFrom(1, plan);
  for (const turn of history) {
    if (turn.status === 'open') return { kind: 'wait', task: turn.task };
    if (turn.status === 'stopped') return { kind: 'halted', task: turn.task, why: 'it did not complete' };
    const moved = move(place, turn, plan);
    if ('kind' in moved) return moved;
    place = moved;
  }
  const { phase, due } = place;
  return phase > plan.phases ? { kind: 'completed' } : { kind: 'step', phase, ...due };
}

/** The phase of the last step, for display. */
export function phaseOf(history: readonly FeatureTurn[]): number {
  return history.at(-1)?.phase ?? 1;
}

/** The first phase from this number on that is not finished. */
function phaseFrom(number: number, { done }: FeaturePlan): PhaseProgress {
  let phase = number;
  while (done?.has(phase) === true) phase += 1;
  return { phase, due: due('tdd'), refusals: 0, gateRefusals: 0, asked: [] };
}

function due(part: keyof typeof partAgents, issues: readonly string[] = []): PhaseProgress['due'] {
  return { part, agent: partAgents[part], issues };
}

function move(place: PhaseProgress, turn: FeatureTurn, plan: FeaturePlan): PhaseProgress | Stop {
  const { extras } = plan;
  const on = (now: PhaseProgress): PhaseProgress => {
    const extra = extras.find((agent) => !now.asked.includes(agent));
    return { ...now, due: extra === undefined ? due('gate') : { part: 'extra', agent: extra, issues: [] } };
  };
  const asked =
    turn.action === 'halt' ? judged(turn, `${turn.agent} asks for a person`, fixing(place, turn)) : undefined;
  if (asked !== undefined) return asked;
  switch (turn.part) {
    case 'tdd':
      return { ...place, due: due('review') };
    case 'review':
      return turn.action === 'fix' ? sentBack(place, turn, on) : on(place);
    case 'extra': {
      const heard = { ...place, asked: [...place.asked, turn.agent] };
      if (turn.action === 'fix') return sentBack(place, turn, () => on(heard));
      return turn.action === 'review' ? { ...heard, due: due('review') } : on(heard);
    }
    case 'gate':
      return turn.action === 'fix' ? refusedAtGate(place, turn, plan) : phaseFrom(place.phase + 1, plan);
    default:
      return turn.part satisfies never;
  }
}

const fixing = (place: PhaseProgress, { notes }: FeatureTurn): PhaseProgress => ({ ...place, due: due('tdd', notes) });

function sentBack(
  place: PhaseProgress,
  turn: FeatureTurn,
  on: (now: PhaseProgress) => PhaseProgress,
): PhaseProgress | Stop {
  const refusals = place.refusals + 1;
  const again = fixing({ ...place, refusals }, turn);
  if (refusals < mostRounds) return again;
  return judged(turn, `${turn.agent} still rejects it after ${refusals} rounds`, again) ?? on({ ...place, refusals });
}

/** The fix goes through the whole review again. */
function refusedAtGate(place: PhaseProgress, turn: FeatureTurn, plan: FeaturePlan): PhaseProgress | Stop {
  const gateRefusals = place.gateRefusals + 1;
  const again = fixing({ ...place, gateRefusals, refusals: 0 }, turn);
  if (gateRefusals < mostRounds) return again;
  const what = `${turn.agent} still refuses it after ${gateRefusals} rounds`;
  return judged(turn, what, again) ?? phaseFrom(place.phase + 1, plan);
}

/** Undefined if a person lets it pass. */
function judged(
  { answer, task, notes }: FeatureTurn,
  what: string,
  again: PhaseProgress,
): PhaseProgress | Stop | undefined {
  switch (answer) {
    case undefined:
      return { kind: 'ask', task, why: `${what}: ${notes.join('; ')}` };
    case 'open':
      return { kind: 'wait', task };
    case 'yes':
      return undefined;
    case 'again':
      return again;
    case 'no':
      return { kind: 'halted', task, why: 'rejected by a person' };
    default:
      return answer satisfies never;
  }
}
