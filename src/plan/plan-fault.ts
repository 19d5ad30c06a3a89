/** Plan fault: describes why a text is not a valid plan. All faults are reported at once, each with its line. */
import { flatten } from '../base/text.ts';

export const planFaultCodes = [
  'bad-accept',
  'bad-budget',
  'bad-checkpoint',
  'bad-dependency',
  'bad-id',
  'bad-mark',
  'bad-review',
  'bad-row',
  'bad-scope',
  'bad-setting',
  'bad-tier',
  'cycle',
  'duplicate-id',
  'duplicate-wave',
  'empty-plan',
  'empty-wave',
  'later-wave',
  'line-too-long',
  'no-description',
  'no-id',
  'scope-outside',
  'too-large',
  'unknown-dependency',
  'unknown-setting',
  'unknown-task',
] as const;

export type PlanFaultCode = (typeof planFaultCodes)[number];

export interface PlanFault {
  readonly code: PlanFaultCode;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** Records a fault; reading continues. */
export type Blame = (code: PlanFaultCode, line: number, message: string) => void;

const mostFaults = 50;

/** Sorted by line, and no more than a person reads. */
export function sortedFaults(faults: readonly PlanFault[]): PlanFault[] {
  return faults.toSorted((one, other) => one.line - other.line).slice(0, mostFaults);
}

/** A quotation from the plan, for a message. */
export function quote(text: string): string {
  const flat = flatten(text.slice(0, 200));
  return flat.length > 60 ? `"${flat.slice(0, 59).toWellFormed()}…"` : `"${flat}"`;
}

/** The first fault, for a text that should be a plan. */
export function faultText([first]: readonly PlanFault[]): string {
  return first === undefined ? 'not a plan' : `line ${first.line}: ${first.message}`;
}
