/**
 * Checks a command again, in a room that its set-up commands have prepared, where it fails in a room from a seed. A seed that makes the
 * difference is refused: rooms are set up one by one from then on.
 */
import type { AcceptCommand } from '../../core/decide/accept-commands.ts';
import type { BaseCheck } from '../../core/event/base-check.ts';
import { oneLine } from '../../base/text.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { refuseSeed } from '../../workspace/git/seed/seeds-folder.ts';
import { inMergedCheckout, type MergedCheckout } from '../merged-checkout.ts';
import { checkAtBase } from './check-at-base.ts';

/** Answers the first check, or the other one if it passed. `place` is where the first one failed. */
export async function checkWithoutSeed(
  place: MergedCheckout,
  command: AcceptCommand,
  check: BaseCheck,
  signal: AbortSignal,
): Promise<BaseCheck> {
  // The command of a task is usually red at the base.
  if (check.result === 'green' || (check.result === 'red' && command.from === 'plan')) return check;
  const { workspace, commit, name, facts = workspace.facts } = place;
  const seed = await workspace.seedAt(commit, facts);
  if (seed === undefined) return check;
  const other = { ...place, name: `${name}-set-up`, checks: `${place.checks}-set-up`, ignoresSeeds: true } as const;
  const again = await inMergedCheckout(other, signal, (checkout) => checkAtBase(command, checkout.check));
  if (again.result !== 'green') return check;
  const why = `\`${oneLine(commandLine(command.argv), 100)}\` passes only where set-up has run`;
  await refuseSeed(workspace.repository, seed, why);
  return again;
}
