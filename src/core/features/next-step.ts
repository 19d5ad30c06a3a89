/**
 * What comes next for a feature: a function of what has been done for it, and of nothing else.
 *
 *   tdd → review → each extra, in order → gate → the next phase
 *   review no, extra `fix` → tdd with what was found → review again; the third no since the phase or its
 *   last gate began is a person's to judge
 *   extra `review` (it has changed something) → review again; extra `defer` → noted, and on
 *   gate no → tdd with what blocks it → review → gate; the third no is a person's to judge, too
 *   a person's yes: on, as it is; a person's no with words: mended by them, once more; any other no, or a step that came to
 *   nothing: the feature is halted
 *
 * An extra is asked once in a phase, unless it has sent the work back. So every phase comes to an end, whatever is answered.
 */
import type { Action } from '../../contracts/contract.ts';
import { mostRounds } from '../../gates/gate-steps.ts';
import type { FeaturePart } from '../event/workflow.ts';

/** A step of a feature, and what came of it. */
export interface FeatureTurn {
  readonly task: string;
  readonly phase: number;
  readonly part: FeaturePart;
  readonly agent: string;
  /** `open`: it waits or runs. `stopped`: it has ended without completing, and nobody tries it again. */
  readonly status: 'open' | 'completed' | 'stopped';
  /** By its contract; absent where a person has taken the work as done. */
  readonly action?: Action;
  /** What it found, in an agent's words. */
  readonly notes: readonly string[];
  /** What a person says to the third no, once asked. */
  readonly answer?: 'open' | 'yes' | 'no' | 'again';
  /** And in their words. */
  readonly said?: string;
}

export interface FeaturePlan {
  readonly phases: number;
  /** Agents, in order. */
  readonly extras: readonly string[];
}

export const partAgents = { tdd: 'tdd-task-executor', review: 'code-reviewer', gate: 'review-pr' } as const;

export type NextStep =
  | {
      readonly kind: 'step';
      readonly phase: number;
      readonly part: FeaturePart;
      readonly agent: string;
      /** To be mended. */
      readonly issues: readonly string[];
    }
  /** For a step to end, or for a person. */
  | { readonly kind: 'wait'; readonly task: string }
  | { readonly kind: 'ask'; readonly task: string; readonly why: string }
  | { readonly kind: 'halted'; readonly task: string; readonly why: string }
  | { readonly kind: 'completed' };

/** How far a phase is. */
interface PhaseProgress {
  readonly phase: number;
  readonly due: { readonly part: FeaturePart; readonly agent: string; readonly issues: readonly string[] };
  /** How often the work was sent back since the phase, or its last gate, began. */
  readonly refusals: number;
  readonly gateRefusals: number;
  /** Extras that have nothing more to say in this phase. */
  readonly asked: readonly string[];
}

type Stop = Exclude<NextStep, { kind: 'step' }>;

export function nextStep(history: readonly FeatureTurn[], plan: FeaturePlan): NextStep {
  let place = phaseAt(1);
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

/** How far it is without the last word of a person: for those who look. */
export function phaseOf(history: readonly FeatureTurn[]): number {
  return history.at(-1)?.phase ?? 1;
}

function phaseAt(phase: number): PhaseProgress {
  return { phase, due: due('tdd'), refusals: 0, gateRefusals: 0, asked: [] };
}

function due(part: keyof typeof partAgents, issues: readonly string[] = []): PhaseProgress['due'] {
  return { part, agent: partAgents[part], issues };
}

function move(place: PhaseProgress, turn: FeatureTurn, { extras }: FeaturePlan): PhaseProgress | Stop {
  const on = (now: PhaseProgress): PhaseProgress => {
    const extra = extras.find((agent) => !now.asked.includes(agent));
    return { ...now, due: extra === undefined ? due('gate') : { part: 'extra', agent: extra, issues: [] } };
  };
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
      return turn.action === 'fix' ? refusedAtGate(place, turn) : phaseAt(place.phase + 1);
    default:
      return turn.part satisfies never;
  }
}

function sentBack(
  place: PhaseProgress,
  turn: FeatureTurn,
  on: (now: PhaseProgress) => PhaseProgress,
): PhaseProgress | Stop {
  const refusals = place.refusals + 1;
  const mended = { ...place, refusals, due: due('tdd', turn.notes) };
  if (refusals < mostRounds) return mended;
  return judged(turn, `${turn.agent} still says no after ${refusals} rounds`, mended) ?? on({ ...place, refusals });
}

/** What is done for it is looked at from the beginning. */
function refusedAtGate(place: PhaseProgress, turn: FeatureTurn): PhaseProgress | Stop {
  const gateRefusals = place.gateRefusals + 1;
  const mended = { ...place, gateRefusals, refusals: 0, due: due('tdd', turn.notes) };
  if (gateRefusals < mostRounds) return mended;
  const what = `${turn.agent} still does not let it pass after ${gateRefusals} rounds`;
  return judged(turn, what, mended) ?? phaseAt(place.phase + 1);
}

/** Undefined where a person lets it pass. */
function judged(
  { answer, task, notes }: FeatureTurn,
  what: string,
  mended: PhaseProgress,
): PhaseProgress | Stop | undefined {
  switch (answer) {
    case undefined:
      return { kind: 'ask', task, why: `${what}: ${notes.join('; ')}` };
    case 'open':
      return { kind: 'wait', task };
    case 'yes':
      return undefined;
    case 'again':
      return mended;
    case 'no':
      return { kind: 'halted', task, why: 'a person said no' };
    default:
      return answer satisfies never;
  }
}
