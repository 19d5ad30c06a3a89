/** The errors of a room whose set-up command failed. */
import { causeAt } from '../../base/error-cause.ts';
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import type { CommandRun, WorkspaceFacts } from '../../core/event/verification.ts';
import { commandLine } from '../../plan/values/command-words.ts';

/**
 * A checkpoint shows at most 300 characters of the message. It says how an edit of the config takes effect, because people try that
 * first.
 */
export function notSetUp(
  { setupFrom }: WorkspaceFacts,
  run: string,
  { argv, end, tail, output = '' }: CommandRun,
): Error {
  const said = saidText(tail, 60);
  const chosen = setupFrom === undefined ? '' : ` (chosen because of ${setupFrom}; \`setup: []\` in the config: none)`;
  const fix = 'fix what it needs, or the config and `divisi update`; then approve to retry';
  return divisiError('WORKSPACE_SETUP_FAILED', {
    message: `the set-up command ${oneLine(commandLine(argv), 50)}${chosen} failed (${end})${said}; ${fix}`,
    next: `See ${output}. \`divisi update --config-only ${run}\` takes over workspace.setup of .divisi/config.yaml as it is now.`,
    ids: { run, file: output },
  });
}

/** Before the first delegation: nothing is lost by fixing the config and starting again. */
export function cannotSetUp(
  { setup, setupFrom }: WorkspaceFacts,
  run: string,
  { argv, end, tail, output = '' }: CommandRun,
): Error {
  const said = saidText(tail, 200);
  const chosen = setupFrom === undefined ? '' : ` (chosen because of ${setupFrom})`;
  const line = `workspace: { setup: ${oneLine(JSON.stringify(setup), 200)} }`;
  return divisiError('WORKSPACE_SETUP_FAILED', {
    message: `rooms cannot be set up: ${oneLine(commandLine(argv), 100)}${chosen} failed (${end})${said}`,
    next: `No agent was started. Fix what the command needs (its output: ${output}), or the commands in .divisi/config.yaml, and start again: \`${line}\`; \`setup: []\` means none.`,
    ids: { run, file: output },
  });
}

/** From the line with the cause on: programs warn about other things first. */
function saidText(tail: string | undefined, most: number): string {
  if (tail === undefined) return '';
  const lines = tail.split('\n');
  return `: ${oneLine(lines.slice(causeAt(lines) ?? 0).join('\n'), most)}`;
}
