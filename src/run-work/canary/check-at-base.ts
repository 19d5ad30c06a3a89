/** Turns the end of a command at the base of a run into a base check. */
import { causeAt } from '../../base/error-cause.ts';
import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import type { AcceptCommand } from '../../core/decide/accept-commands.ts';
import type { BaseCheck } from '../../core/event/base-check.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { recordedErrors } from '../../verify/error-lines.ts';
import { isStopped } from '../../verify/run-command.ts';
import type { RanCheck, RunOnce } from '../../verify/run-check.ts';

/** A command of the config that fails is run once more before a person is asked about it. */
export async function checkAtBase(command: AcceptCommand, run: RunOnce): Promise<BaseCheck> {
  const first = await run(command, false);
  const isFinal = first.ran.ok || first.isSetUp === true || first.missing !== undefined || command.from === 'plan';
  // One that hangs would cost its whole time again.
  if (isFinal || isStopped(first.ran)) return baseCheck(command, first);
  const second = await run(command, true);
  const errors = [...new Set([...first.errors, ...second.errors])];
  const outside = [...new Set([...first.outside, ...second.outside])];
  const check = baseCheck(command, { ...second, errors, outside });
  return second.ran.ok ? { ...check, isFlaky: true } : check;
}

function baseCheck({ argv, from }: AcceptCommand, { ran, errors, missing, outside, isSetUp }: RanCheck): BaseCheck {
  const { ok, end, milliseconds, tail, output } = ran;
  const of = { argv: [...argv], from };
  if (isSetUp === true) {
    const why = `set-up failed: ${oneLine(commandLine(ran.argv), 80)}: ${end}`;
    return { ...of, result: 'unknown', end: why, milliseconds, ...defined({ output }) };
  }
  const result = ok ? 'green' : missing === undefined ? 'red' : 'environment';
  const lines = (tail ?? '').split('\n');
  const said = oneLine(lines[causeAt(lines) ?? lines.length - 1] ?? '', 200);
  const cause = ok || said === '' ? undefined : said;
  return {
    ...of,
    result,
    end,
    milliseconds,
    ...defined({ missing, cause, output }),
    ...(from === 'config' && !ok ? { errors: recordedErrors(errors) } : {}),
    ...(outside.length === 0 ? {} : { outside: [...outside] }),
  };
}
