/** Gate: the state of one review gate and its findings. Changed by `apply` alone. */
import type { GateKind } from '../../gates/gate-steps.ts';
import type { GateVerdict } from '../event/judgement.ts';

export interface Gate {
  /**
   * `wave-2`, `task-1.3`, `final`, `audit`. Ids in a plan have no colon, so `wave-2:review` is never the id of a
   * planned task.
   */
  readonly key: string;
  readonly kind: GateKind;
  status: 'due' | 'reviewing' | 'reviewed' | 'fixing' | 'fixed' | 'asking' | 'passed';
  /** Review rounds since the work was reopened or a person sent it back. */
  round: number;
  /** Totals over the whole run, used in task names. */
  reviews: number;
  fixes: number;
  /** Verdict of the last review; null if it gave none. */
  verdict: GateVerdict | null;
  /** The last commit on which the acceptance commands passed, and those commands. */
  checked: { readonly commit: string; readonly commands: readonly string[] } | null;
  /** Runs of the acceptance commands over the whole run. */
  checks: number;
  /** Path of the last review's report. */
  report: string | null;
  /** Notes from people. */
  notes: readonly string[];
}

/** A review finding that can wait. */
export interface Finding {
  readonly id: string;
  /** The wave of the review. */
  readonly wave: number;
  readonly action: string;
  readonly report?: string;
  /** The task that fixes it; null until one is assigned. */
  fix: string | null;
  isFixed: boolean;
}

export const waveGate = (wave: number): string => `wave-${wave}`;
export const taskGate = (task: string): string => `task-${task}`;
/** The subject of a gate of kind `task`. */
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
