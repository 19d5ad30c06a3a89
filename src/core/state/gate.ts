/** Gate: the state of one review gate and its findings. Changed by `apply` alone. */
import type { GateKind } from '../../gates/gate-steps.ts';
import type { Verdict } from '../event/outcome.ts';

export interface Gate {
  /** `wave-2`, `task-1.3`, `final`, `audit`. Ids in a plan have no colon, so that `wave-2:review` is nobody else's. */
  readonly key: string;
  readonly kind: GateKind;
  status: 'due' | 'reviewing' | 'reviewed' | 'fixing' | 'fixed' | 'asking' | 'passed';
  /** Reviews of the work as it is, fixes aside. */
  round: number;
  /** Of all times, for their names. */
  reviews: number;
  fixes: number;
  /** Of the last review; null where it gave none. */
  verdict: Verdict | null;
  /** The commit on which the acceptance commands have last held, and which those were. */
  checked: { readonly commit: string; readonly commands: readonly string[] } | null;
  /** How often they were run, at all times: each time is one of its own. */
  checks: number;
  /** Where the last review is. */
  report: string | null;
  /** What people have said about it. */
  notes: readonly string[];
}

/** What a review found that can wait. */
export interface Finding {
  readonly id: string;
  /** Where it was found. */
  readonly wave: number;
  readonly action: string;
  readonly report?: string;
  /** The task that mends it; null until it has been given to one. */
  fix: string | null;
  isFixed: boolean;
}

export const waveGate = (wave: number): string => `wave-${wave}`;
export const taskGate = (task: string): string => `task-${task}`;
/** The task that a gate of the kind `task` is about. */
export const taskOfGate = (key: string): string => key.slice('task-'.length);
export const finalGate = 'final';
export const auditGate = 'audit';

export function newGate(key: string, kind: GateKind): Gate {
  return {
    key,
    kind,
    status: 'due',
    round: 0,
    reviews: 0,
    fixes: 0,
    verdict: null,
    checked: null,
    checks: 0,
    report: null,
    notes: [],
  };
}
