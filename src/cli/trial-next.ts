/** What a person can do where a trial did not complete. */
import type { DriverDescription } from '../drivers/describe-driver.ts';
import type { Trial } from '../scheduler/try-delegation.ts';

export function whatNext(trial: Trial, driver: DriverDescription): string | undefined {
  const { failure } = trial.ended.outcome;
  const { profile, path, program } = driver;
  switch (failure?.class) {
    case 'environment':
      if (program !== undefined && path === undefined) {
        return profile === undefined ? `put ${program} on the PATH` : `install it: ${profile.install}`;
      }
      // What its own client shows is more than we are told.
      return profile === undefined
        ? `run ${program ?? driver.name} yourself, and see whether it works there`
        : `run ${profile.name} yourself, log in there and see whether it answers; tutti doctor says which keys are set`;
    case 'quota':
      return failure.until === undefined
        ? 'wait until its limit has lifted, or try another agent: tutti agents'
        : `wait until ${new Date(failure.until).toLocaleString()}, or try another agent: tutti agents`;
    case 'timeout':
      return 'give it more time: --timeout SECONDS';
    case 'contract-violation':
      return 'see what it said in the transcript; a stronger --tier, or another agent, may keep the contract';
    default:
      return undefined;
  }
}
