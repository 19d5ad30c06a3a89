/** Asks about the config's commands that are red at the base of the run: their failures are not the agents'. */
import { oneLine } from '../../base/text.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import type { BaseCheck } from '../event/base-check.ts';
import { unaskedRed } from '../state/base-checks.ts';
import { openOf, type RunState } from '../state/state.ts';
import { type Decision, requestCheckpoint } from './decision.ts';

/** One question for all of them. */
export function askAboutBase(state: RunState): readonly Decision[] | undefined {
  const red = unaskedRed(state);
  if (red.length === 0 || openOf(state, 'base').length > 0) return undefined;
  const why = `before any agent has worked, ${red.map(redText).join('; ')}`;
  return [requestCheckpoint(state, { type: 'base', why, commands: red.map(({ argv }) => [...argv]) })];
}

function redText({ argv, result, end, cause }: BaseCheck): string {
  const how = result === 'environment' ? 'cannot run in a room' : 'fails';
  const said = cause === undefined ? '' : `: ${oneLine(cause, 120)}`;
  return `\`${oneLine(commandLine(argv), 60)}\` ${how} (${oneLine(end, 80)}${said})`;
}
