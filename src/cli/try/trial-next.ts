/** Suggests a next step for a trial that did not complete. */
import { failureOf } from '../../core/event/make-outcome.ts';
import type { DriverDescription } from '../../drivers/describe-driver.ts';
import type { Trial } from '../../runtime/trial/try-delegation.ts';

export function whatNext({ ended, hadFolder }: Trial, driver: DriverDescription): string | undefined {
  const failure = failureOf(ended.outcome);
  // An agent that says itself why it could not has worked.
  if (failure === undefined || ended.outcome.claims !== undefined) return undefined;
  const kind = failure.class;
  switch (kind) {
    case 'environment':
      return hadFolder ? fixProgram(driver) : 'fix what it names and try again; `divisi doctor` checks the project';
    case 'quota':
      return failure.until === undefined
        ? 'wait until its limit has lifted, or try another agent: divisi agents'
        : `wait until ${new Date(failure.until).toISOString().slice(0, 19)}Z, or try another agent: divisi agents`;
    case 'timeout':
      return 'give it more time: --timeout SECONDS';
    case 'contract-violation':
      return 'see what it said (divisi logs); a stronger --tier, or another agent, may keep the contract';
    case 'agent-error':
    case 'cancelled':
    case 'conflict':
    case 'lost':
    case 'unclear':
    case 'unfinished':
    case 'verification-failed':
      return undefined;
    default:
      return kind satisfies never;
  }
}

/** The program itself shows more than it reports to Divisi. */
function fixProgram({ name, profile, program, path }: DriverDescription): string {
  if (program !== undefined && path === undefined) return profile?.install ?? `put ${program} on the PATH`;
  return profile === undefined
    ? `run ${program ?? name} yourself, and see whether it works there`
    : `run ${profile.name} yourself, log in there and see whether it answers; divisi doctor says which keys are set`;
}
