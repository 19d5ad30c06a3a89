/**
 * Takes the return of an agent of the conversation: reads it by its contract, asks for at most two repairs, verifies and records it,
 * and sends rejected work back.
 * A second hook with the same return changes nothing.
 */
import { basename, dirname, join } from 'node:path';
import { repairMessage } from '../contracts/write/prompt.ts';
import { contractFor } from '../core/attempt/return-check.ts';
import type { NewEvent } from '../core/event/event.ts';
import type { Outcome } from '../core/event/outcome.ts';
import { mostRepairs, type RunState } from '../core/state/state.ts';
import { filesOf } from '../delegation/delegation-files.ts';
import { accepted, refused, type ReturnAccount, violationLines } from '../reading/outcome.ts';
import { type Collected, keepReturn, type Reader, readReturn } from '../reading/take-return.ts';
import { writePrivately } from '../workspace/atomic-file.ts';
import { folderInside, readInside } from '../workspace/project-path.ts';
import { makeStateFolder } from '../workspace/state-folder.ts';
import type { Conduct } from './conduct.ts';
import { inRun } from './in-run.ts';
import { lookForChanges } from './look-for-changes.ts';
import type { Member } from './member.ts';
import { canHold, sendBack } from './send-back.ts';
import { verifyPending } from './verify-pending.ts';

export interface AgentMessage {
  readonly text: string;
  /** The agent can still be asked for a repair. */
  readonly canAsk: boolean;
}

/** The message with which the agent continues: to repair its return, or to correct rejected work; undefined where it may stop. */
export async function takeReturn(conduct: Conduct, member: Member, said: AgentMessage): Promise<string | undefined> {
  const { active, delegation } = member;
  if (active === undefined) return undefined;
  const reader = readerOf(conduct, member);
  const { contract } = reader;
  const found = await readReturn(reader, said.text);
  const { reading } = found;
  const { repairs } = active;
  if (!reading.ok && repairs < mostRepairs && said.canAsk && canHold(conduct, member)) {
    const violations = violationLines(reading.violations);
    const repair = repairs + 1;
    ifActive(conduct, member, () => [{ kind: 'return.refused', delegation, repair, violations }]);
    return repairMessage(contract, reading.violations, { by: 'message', reportPath: reader.task.reportPath });
  }
  const account = await keepIn(conduct, reader, found, repairs);
  const why = repairs < mostRepairs ? 'it could not be asked again' : `still not accepted after ${repairs} repairs`;
  const outcome = reading.ok ? accepted(contract, reading.result, account) : refused(reading, account, why);
  await end(conduct, member, outcome);
  return said.canAsk ? sendBack(conduct, member) : undefined;
}

/**
 * Ends lost delegations: a complete report counts as the return, otherwise the task is open again. All of them end before anything
 * is verified, which may take long.
 */
export async function endLostDelegations(conduct: Conduct, members: readonly Member[]): Promise<void> {
  for (const member of members) await takeLost(conduct, member);
  if (members.length > 0) await verifyPending(conduct);
}

async function takeLost(conduct: Conduct, member: Member): Promise<void> {
  const reader = readerOf(conduct, member);
  const report = await readInside(conduct.project, reader.task.reportPath);
  const found = report === undefined ? undefined : await readReturn(reader, report);
  if (found?.reading.ok === true) {
    const account = await keepIn(conduct, reader, found, member.active?.repairs ?? 0);
    const outcome = accepted(reader.contract, found.reading.result, account);
    const recovered = { ...outcome, degraded: [...outcome.degraded, 'recovered'] };
    ifActive(conduct, member, () => [ended(member, 'returned', recovered)]);
    return;
  }
  const failure = { class: 'lost', message: 'interrupted when the conversation ended' } as const;
  const outcome: Outcome = { status: 'partial', summary: '', files: [], repairs: 0, degraded: [], failure };
  ifActive(conduct, member, () => [ended(member, 'lost', outcome)]);
}

/** Keeps the report by its delegation, too: the agent of an earlier attempt may have a command running that writes to the same path. */
async function keepIn(conduct: Conduct, reader: Reader, found: Collected, repairs: number): Promise<ReturnAccount> {
  const { project, environment, run } = conduct;
  const account = await keepReturn(reader, found, repairs);
  const text = account.report === undefined ? undefined : await readInside(project, account.report);
  if (text === undefined) return account;
  const { delegation, task } = reader.task;
  const { keptReport } = filesOf(run, 0, task, delegation);
  const folder = await folderInside(makeStateFolder(project, environment), dirname(keptReport), 0o700);
  await writePrivately(join(folder, basename(keptReport)), text);
  return account;
}

function readerOf({ project, run, roles }: Conduct, { task, delegation }: Member): Reader {
  const contract = contractFor({ role: task.role, agent: task.planned.agent }, roles);
  const { report } = filesOf(run, task.wave, task.planned.id, delegation);
  const returning = { run, delegation, task: task.planned.id, directory: project, reportPath: report };
  return { project, contract, by: 'message', task: returning };
}

function ended({ task, delegation }: Member, end: 'returned' | 'lost', outcome: Outcome): NewEvent {
  return { kind: 'delegation.ended', delegation, task: task.planned.id, end, outcome };
}

async function end(conduct: Conduct, member: Member, outcome: Outcome): Promise<void> {
  ifActive(conduct, member, () => [ended(member, 'returned', outcome)]);
  await verifyPending(conduct, member.delegation);
  await lookForChanges(conduct);
}

function ifActive(conduct: Conduct, { delegation }: Member, events: (state: RunState) => NewEvent[]): void {
  inRun(conduct, ({ state, record, advance }) => {
    if (!state.active.has(delegation)) return;
    for (const event of events(state)) record(event);
    advance();
  });
}
