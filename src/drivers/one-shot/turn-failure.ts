/**
 * Decides why a turn failed: by the error the program reports, else by its standard error since the last sign of life, else
 * by its exit. A limit that the program survived explains nothing that happened later.
 */
import type { TurnFailure } from '../driver.ts';
import { errorLine, failureMessage } from '../failure-message.ts';
import { classify, type FailureRow } from '../profiles/failure-row.ts';
import type { ProcessEnd } from '../../process/spawn-marked.ts';
import { readTail } from '../../process/output-file.ts';
import type { TurnAccount } from './turn-account.ts';

interface FailingTurn {
  readonly account: TurnAccount;
  readonly end: Exclude<ProcessEnd, { kind: 'not-started' }>;
  readonly stderr: string;
  /** See `FollowedProgram`. */
  readonly survived: number;
  readonly failures: readonly FailureRow[];
}

const lastBytes = 4096;

export async function explainFailure(failing: FailingTurn): Promise<TurnFailure & { readonly message: string }> {
  const { account, end, stderr, survived, failures } = failing;
  const reported = account.end();
  if (reported?.kind === 'error') {
    const cause = classify(failures, reported, Date.now());
    return { ...withSignal(end, cause), message: errorLine(reported.text) || howItEnded(failing) };
  }
  const waits = account.waits();
  const text = `${waits ?? ''}\n${await readTail(stderr, lastBytes, survived)}`;
  // After an exit that looks good, standard error explains nothing.
  const hasFailed = end.kind === 'signal' || end.code !== 0;
  const cause: TurnFailure = hasFailed ? classify(failures, { text }, Date.now()) : { cause: 'exit' };
  const how = waits === undefined ? howItEnded(failing) : `${howItEnded(failing)} while it waited: ${errorLine(waits)}`;
  return { ...withSignal(end, cause), message: await failureMessage(how, stderr) };
}

/** The program refused the id of its conversation. */
export async function cannotConverse(
  account: TurnAccount,
  stderr: string,
  unusableConversation: RegExp,
): Promise<boolean> {
  const reported = account.end();
  if (reported?.kind === 'returned') return false;
  return (
    unusableConversation.test(reported?.text ?? '') || unusableConversation.test(await readTail(stderr, lastBytes))
  );
}

/** The signal is the cause where nothing explains more. */
function withSignal(end: FailingTurn['end'], cause: TurnFailure): TurnFailure {
  return end.kind === 'signal' && cause.cause === 'exit' ? { cause: 'signal' } : cause;
}

function howItEnded({ account, end }: FailingTurn): string {
  if (end.kind === 'signal') return `ended by ${end.signal}`;
  if (end.code !== 0) return `exit code ${end.code}`;
  return account.end() === undefined ? 'it ended without reporting a result' : 'it ended with an error';
}
