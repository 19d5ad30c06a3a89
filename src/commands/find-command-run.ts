/** Finds the newest run of a task command about a backlog task. */
import { workflowAs } from '../core/event/run-kind.ts';
import { createdRun } from '../ledger/created-run.ts';
import type { CommandWorkflow } from '../core/event/workflow.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';

export interface CommandRunRow extends RunRow {
  readonly workflow: CommandWorkflow;
  /** The person's own words. */
  readonly prompt: string;
}

export function commandTitle(command: string, number: number, title: string): string {
  return `${command} ${number}: ${title}`;
}

export function findCommandRun(ledger: LedgerReader, number: number): CommandRunRow | undefined {
  const [row] = ledger.runs({ task: number });
  const created = row === undefined ? undefined : createdRun(ledger, row.run);
  const workflow = created === undefined ? undefined : workflowAs(created, 'command');
  if (row === undefined || created === undefined || workflow === undefined) return undefined;
  return { ...row, workflow, prompt: created.plan.goal };
}
