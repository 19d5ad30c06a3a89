/** Checks a delegation before it starts: a legal path, and a deadline within the limit of its class. */
import { divisiError } from '../base/error.ts';
import { classFor, type DelegatedWork, type DelegationClass, secondsFor } from './deadline.ts';
import { pathRefusal } from './path.ts';

export interface SafeDelegation {
  readonly class: DelegationClass;
  readonly seconds: number;
}

/** Seconds by class, overriding the defaults. */
export type Deadlines = { readonly [Class in DelegationClass]?: number | undefined };

/** `path` ends with the agent, `work` says what it does. A refusal shows the whole path, so a person can see its origin. */
export function checkDelegation(
  path: readonly string[],
  asked: Deadlines = {},
  work: DelegatedWork = {},
): SafeDelegation {
  const refusal = pathRefusal(path);
  if (refusal !== undefined) {
    throw divisiError('DELEGATION_REFUSED', {
      message: `not delegated: ${refusal}`,
      expected: 'at most 3 agents after the orchestrator and the command, each only once',
      got: path.join(' → '),
      next: 'Let an agent further up do this, or return it as an open point.',
    });
  }
  const kind = classFor(path.at(-1) ?? '', work);
  return { class: kind, seconds: secondsFor(kind, asked[kind]) };
}
