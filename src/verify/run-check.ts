/**
 * Runs one acceptance command on work and judges its end. A failure counts when the command fails a second time, or was stopped; one of a
 * known-red command, when the base does not have it; and none for which a program or a package is missing at the base too.
 */
import { commandLine } from '../plan/values/command-words.ts';
import type { AcceptCommand } from '../core/decide/accept-commands.ts';
import type { CommandRun, WorkFinding } from '../core/event/verification.ts';
import { finding, shortList } from '../core/event/work-findings.ts';
import { isNewFailure, newFailureTail } from './error-lines.ts';
import { isStopped } from './run-command.ts';

/** How a command ended, and what its output says beyond its last lines. */
export interface RanCheck {
  readonly ran: Omit<CommandRun, 'from'>;
  /** See `errorLines`; empty if it passed. */
  readonly errors: readonly string[];
  /** Where it ran, absolute. */
  readonly directory?: string;
  /** See `missingPart`. */
  readonly missing?: string | undefined;
  /** Files of the user's checkout that it loaded. */
  readonly outside: readonly string[];
  /** The set-up before it failed: `ran` is that of the set-up command. */
  readonly isSetUp?: true;
}

export interface JudgedCheck {
  readonly ran: CommandRun;
  readonly findings: readonly WorkFinding[];
  /** The program or package it misses, as at the base: the work is not judged by it. */
  readonly missing?: string;
}

export type RunOnce = (command: AcceptCommand, isAgain: boolean) => Promise<RanCheck>;

export async function runCheck(command: AcceptCommand, run: RunOnce): Promise<JudgedCheck> {
  const first = await run(command, false);
  const { from, base } = command;
  if (first.ran.ok || first.isSetUp === true) return judged(first, from);
  const known = command.isKnownRed === true ? base : undefined;
  const isKnown = ({ errors, missing, ran: { end } }: RanCheck): boolean =>
    known !== undefined &&
    ((missing !== undefined && missing === known.missing) || !isNewFailure({ errors, end }, known));
  if (isKnown(first)) return judged(first, from, 'known-red');
  const failed = known === undefined ? first : { ...first, ran: ranAnew(first, known) };
  if (first.missing !== undefined && base?.missing === first.missing) {
    return { ...judged(first, from), missing: first.missing };
  }
  // One that hangs would cost its whole time again.
  if (isStopped(first.ran)) return judged(failed, from);
  const second = await run(command, true);
  const outside = [...new Set([...first.outside, ...second.outside])];
  const isKnownThen = isKnown(second);
  if (!second.ran.ok && !isKnownThen) return judged({ ...failed, outside }, from);
  const { ran, findings } = judged({ ...second, outside }, from, isKnownThen ? 'known-red' : 'flaky');
  const { end, tail, output } = failed.ran;
  const then = isKnownThen ? 'failed only as at the base' : 'passed';
  const fact = `${commandLine(command.argv)} failed (${end}) and ${then} when it was run once more`;
  return {
    // The output worth reading is that of the failure.
    ran: { ...ran, ...(tail === undefined ? {} : { tail }), ...(output === undefined ? {} : { output }) },
    findings: [...findings, finding('flaky', { fact })],
  };
}

function judged({ ran, outside }: RanCheck, from: AcceptCommand['from'], note?: CommandRun['note']): JudgedCheck {
  return {
    ran: { ...ran, from, ...(note === undefined ? {} : { note }) },
    findings: outside.length === 0 ? [] : [outsideFinding(ran.argv, outside)],
  };
}

/** Named by the error that the base does not have. */
function ranAnew({ ran, errors, directory = '' }: RanCheck, base: NonNullable<AcceptCommand['base']>): RanCheck['ran'] {
  return ran.tail === undefined ? ran : { ...ran, tail: newFailureTail(ran.tail, { errors, directory }, base) };
}

function outsideFinding(argv: readonly string[], paths: readonly string[]): WorkFinding {
  const fact = `${commandLine(argv)} loads project files from outside its room, so it does not test the work alone: ${shortList(paths)}`;
  return finding('outside-room', { fact, paths });
}
