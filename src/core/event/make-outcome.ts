/** Builds and classifies outcomes. Loads no schemas. */
import { defined } from '../../base/defined.ts';
import type { CheckRow, CompletedOutcome, FailedOutcome, Failure, Outcome, Verdict } from './outcome.ts';

export function failureOf(outcome: Outcome | undefined): Failure | undefined {
  return outcome === undefined || outcome.status === 'completed' ? undefined : outcome.failure;
}

export function verdictOf(outcome: Outcome | undefined): Verdict | undefined {
  return outcome?.status === 'completed' ? outcome.verdict : undefined;
}

/** An agent's notes to others. In its words. */
export function notesOf(outcome: Outcome | undefined): readonly string[] {
  return outcome?.notes ?? outcome?.structuredResult?.notes ?? [];
}

/** An agent's account of its acceptance criteria. In its words. */
export function checksOf(outcome: Outcome | undefined): readonly CheckRow[] {
  return outcome?.claims?.checks ?? [];
}

/** An outcome whose author may leave out parts. */
export type PartialOutcome = Partial<Omit<CompletedOutcome, 'status'>> & {
  readonly status?: Outcome['status'];
  readonly failure?: Failure;
};

/** Fills in the rest. Without a reason, an attempt that did not complete is an `agent-error`. */
export function outcomeFrom({ failure, verdict, ...given }: PartialOutcome): Outcome {
  const { status = failure === undefined ? 'completed' : 'failed', ...rest } = given;
  const all = { summary: '', files: [], repairs: 0, degraded: [], ...rest };
  if (status === 'completed') return { status, ...all, ...defined({ verdict }) };
  return { status, ...all, failure: failure ?? { class: 'agent-error', message: all.summary } };
}

/** The attempt completed by its own account and failed for a reason found afterwards. */
export function asFailed(outcome: CompletedOutcome, failure: Failure): FailedOutcome {
  const { verdict: _verdict, ...rest } = outcome;
  return { ...rest, status: 'failed', failure };
}

/** `seconds` from the registration of the delegation to its deadline. */
export function timeoutFailure(seconds: number): Failure {
  return { class: 'timeout', message: `timed out after ${seconds} s; the files it left are kept` };
}

export const acceptedByPerson = 'accepted-by-a-person';

/** A person accepts the work although its attempt did not complete: it counts, marked as degraded. */
export function acceptedOutcome(outcome: FailedOutcome): CompletedOutcome {
  const { failure: _failure, ...rest } = outcome;
  return { ...rest, status: 'completed', degraded: [...rest.degraded, acceptedByPerson] };
}
