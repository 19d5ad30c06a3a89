/** The run of the command that was given last about a backlog task. */
import { createdRun } from '../ledger/created-run.ts';
import type { RunId } from '../base/ids.ts';
import type { CommandWorkflow } from '../core/event/workflow.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';

export interface CommandRunRow extends RunRow {
  readonly workflow: CommandWorkflow;
  /** What the person added. */
  readonly prompt: string;
}

/** By it the runs of a task are found without looking into all of them. */
export function commandTitle(command: string, number: number, title: string): string {
  return `${command} ${number}: ${title}`;
}

const isOf = (title: string, number: number): boolean => title.split(':', 1)[0]?.endsWith(` ${number}`) === true;

export function findCommandRun(ledger: LedgerReader, number: number): CommandRunRow | undefined {
  for (const row of ledger.runs()) {
    if (row.planFile !== '' || !isOf(row.title, number)) continue;
    const found = createdBy(ledger, row.run);
    if (found?.workflow.number === number) return { ...row, ...found };
  }
  return undefined;
}

function createdBy(ledger: LedgerReader, run: RunId): Pick<CommandRunRow, 'workflow' | 'prompt'> | undefined {
  const { workflow, plan } = createdRun(ledger, run) ?? {};
  return workflow?.kind === 'command' && plan !== undefined ? { workflow, prompt: plan.goal } : undefined;
}
