/** Finds out whether a person has already confirmed the commands of a plan: in a terminal or a form, for an earlier run of the same plan. */
import type { EventOf } from '../core/event/event.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { readLedger } from '../project/project-ledger.ts';
import { commandsIn, type PlanCommands } from '../runtime/plans/plan-run.ts';
import { runsOf } from './choose-run.ts';

/** `file` is absolute. Each command must be exactly one that was confirmed. */
export async function isConfirmedBefore(
  project: string,
  file: string,
  { commands }: Pick<PlanCommands, 'commands'>,
): Promise<boolean> {
  const ledger = readLedger(project);
  try {
    const seen = new Set((await runsOf(project, ledger, file)).flatMap((row) => confirmedIn(ledger, row)));
    return commands.every((argv) => seen.has(argv.join('\0')));
  } finally {
    ledger.close();
  }
}

/** As the run began: what a later edit of the plan added is not included. */
function confirmedIn(ledger: LedgerReader, { run }: RunRow): string[] {
  let created: EventOf<'run.created'> | undefined;
  const accept: string[] = [];
  let isConfirmed = false;
  for (const event of ledger.read(run)) {
    if (event.kind === 'run.created') created = event;
    else if (event.kind === 'wave.planned') accept.push(...event.tasks.flatMap((task) => task.accept));
    else if (event.kind === 'plan.confirmed') isConfirmed = true;
  }
  if (created === undefined || !isConfirmed) return [];
  return commandsIn(created.settings, accept).map((argv) => argv.join('\0'));
}
