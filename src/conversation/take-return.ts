/**
 * Takes the return of an agent of the conversation: reads it by its contract, asks for at most two repairs, verifies and records it.
 * A second hook with the same return changes nothing.
 */
import { repairMessage } from '../contracts/write/prompt.ts';
import { contractFor } from '../core/attempt/return-check.ts';
import type { NewEvent } from '../core/event/event.ts';
import type { Outcome } from '../core/event/outcome.ts';
import { mostRepairs, type RunState } from '../core/state/state.ts';
import { filesOf } from '../delegation/delegation-files.ts';
import { accepted, refused, violationLines } from '../reading/outcome.ts';
import { keepReturn, type Reader, readReturn } from '../reading/take-return.ts';
import { readInside } from '../workspace/project-path.ts';
import type { Conduct } from './conduct.ts';
import { inRun } from './in-run.ts';
import type { Member } from './member.ts';
import { verifyPending } from './verify-pending.ts';

export interface AgentMessage {
  readonly text: string;
  /** The agent can still be asked for a repair. */
  readonly canAsk: boolean;
}

/** The repair message for the agent; undefined once the return is recorded, accepted or not. */
export async function takeReturn(conduct: Conduct, member: Member, said: AgentMessage): Promise<string | undefined> {
  const { active, delegation } = member;
  if (active === undefined) return undefined;
  const reader = readerOf(conduct, member);
  const { contract } = reader;
  const found = await readReturn(reader, said.text);
  const { reading } = found;
  const { repairs } = active;
  if (!reading.ok && repairs < mostRepairs && said.canAsk) {
    const violations = violationLines(reading.violations);
    const repair = repairs + 1;
    ifActive(conduct, member, () => [{ kind: 'return.refused', delegation, repair, violations }]);
    return repairMessage(contract, reading.violations, { by: 'message', reportPath: reader.task.reportPath });
  }
  const account = await keepReturn(reader, found, repairs);
  const why = repairs < mostRepairs ? 'it could not be asked again' : `still not accepted after ${repairs} repairs`;
  const outcome = reading.ok ? accepted(contract, reading.result, account) : refused(reading, account, why);
  await end(conduct, member, outcome);
  return undefined;
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
    const account = await keepReturn(reader, found, member.active?.repairs ?? 0);
    const outcome = accepted(reader.contract, found.reading.result, account);
    const recovered = { ...outcome, degraded: [...outcome.degraded, 'recovered'] };
    ifActive(conduct, member, () => [ended(member, 'returned', recovered)]);
    return;
  }
  const failure = { class: 'lost', message: 'interrupted when the conversation ended' } as const;
  const outcome: Outcome = { status: 'partial', summary: '', files: [], repairs: 0, degraded: [], failure };
  ifActive(conduct, member, () => [ended(member, 'lost', outcome)]);
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
}

function ifActive(conduct: Conduct, { delegation }: Member, events: (state: RunState) => NewEvent[]): void {
  inRun(conduct, ({ state, record, advance }) => {
    if (!state.active.has(delegation)) return;
    for (const event of events(state)) record(event);
    advance();
  });
}
