/**
 * Why a turn failed: by what the program says as an error; where it says none, by what stands on its standard error since its last
 * sign of life; by its end otherwise. A limit that it met and got over explains nothing that came later.
 */
import type { TurnFailure } from '../driver.ts';
import { failureMessage, toldMessage } from '../failure-message.ts';
import { classify, type FailureRow } from '../profiles/failure-row.ts';
import type { ProcessEnd } from '../../process/spawn-marked.ts';
import { readTail } from '../../process/output-file.ts';
import type { ToldAccount } from './told-account.ts';

interface Failing {
  readonly account: ToldAccount;
  readonly end: Exclude<ProcessEnd, { kind: 'not-started' }>;
  readonly stderr: string;
  /** See `Followed`. */
  readonly survived: number;
  readonly failures: readonly FailureRow[];
}

const lastBytes = 4096;

export async function failedTurn(failing: Failing): Promise<TurnFailure & { readonly message: string }> {
  const { account, end, stderr, survived, failures } = failing;
  const told = account.end();
  if (told?.kind === 'error') {
    const cause = classify(failures, told.error, Date.now());
    return { ...atLeast(end, cause), message: toldMessage(told.error.text) || howItEnded(failing) };
  }
  const waits = account.waits();
  const text = `${waits ?? ''}\n${await readTail(stderr, lastBytes, survived)}`;
  // What stands there after an end that looks good is no reason for anything.
  const hasFailed = end.kind === 'signal' || end.code !== 0;
  const cause: TurnFailure = hasFailed ? classify(failures, { text }, Date.now()) : { cause: 'exit' };
  const how =
    waits === undefined ? howItEnded(failing) : `${howItEnded(failing)} while it waited: ${toldMessage(waits)}`;
  return { ...atLeast(end, cause), message: await failureMessage(how, stderr) };
}

export async function hasForgotten(account: ToldAccount, stderr: string, forgotten: RegExp): Promise<boolean> {
  const told = account.end();
  if (told?.kind === 'returned') return false;
  return forgotten.test(told?.error.text ?? '') || forgotten.test(await readTail(stderr, lastBytes));
}

/** What nothing explains better is told by the signal. */
function atLeast(end: Failing['end'], cause: TurnFailure): TurnFailure {
  return end.kind === 'signal' && cause.cause === 'exit' ? { cause: 'signal' } : cause;
}

function howItEnded({ account, end }: Failing): string {
  if (end.kind === 'signal') return `ended by ${end.signal}`;
  if (end.code !== 0) return `exit code ${end.code}`;
  return account.end() === undefined ? 'it ended without saying that it was done' : 'it ended with an error';
}
