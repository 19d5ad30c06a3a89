/**
 * Starts, resumes, answers and stops runs that a conversation conducts. No process of Divisi drives such a run: each call is one or
 * two short transactions, and hooks work on the same run in between.
 */
import { runKind } from '../../core/event/run-kind.ts';
import { defined } from '../../base/defined.ts';
import { divisiError, isRefusal } from '../../base/error.ts';
import { delegationIds, type RunId } from '../../base/ids.ts';
import type { Outcome } from '../../core/event/outcome.ts';
import { isOver, type RunState } from '../../core/state/state.ts';
import { type Conduct, readyNow } from '../../conversation/conduct.ts';
import { inRun } from '../../conversation/in-run.ts';
import { lookForChanges } from '../../conversation/look-for-changes.ts';
import { clientName, memberOf } from '../../conversation/member.ts';
import { endLostDelegations } from '../../conversation/take-return.ts';
import { verifyPending } from '../../conversation/verify-pending.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Mode } from '../../plan/plan.ts';
import { runText } from '../../views/brief/here-text.ts';
import { clientIdentity } from '../../process/identity.ts';
import { resumeCommand } from '../../views/text/typed-commands.ts';
import { loadRoles } from '../../workspace/load-roles.ts';
import { answerEvents, type CheckpointAnswer } from '../../core/decide/answer-events.ts';
import { beginRun } from '../../scheduler/begin/begin-run.ts';
import { startNotes } from '../../scheduler/begin/start-notes.ts';
import { checkAnyOpen, planSpec, readRunPlan } from '../../scheduler/begin/read-run-plan.ts';
import { withLedger } from '../../project/project-ledger.ts';
import { confirmationHash, requireTrust } from '../../project/trust/trust.ts';
import { loadTrusted } from '../../project/trust/load-trusted.ts';
import { systemClock } from '../../engine/clock.ts';

export interface ConductOptions {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly ledger: Ledger;
  readonly warn: (error: unknown) => void;
}

export interface NewConduct extends ConductOptions {
  /** The client's session id. */
  readonly session: string;
  readonly mode?: Mode;
  /** What a person has confirmed (`confirmationHash`); commands of any other plan are not run. Absent where all plans are trusted. */
  readonly confirmed?: string;
}

/** The driver name of a conducted run. */
const driver = 'conversation';
const command = 'divisi in a conversation';

/** Creates the run with the session as its conductor; its first wave may be delegated then. */
export async function conductPlan(file: string, options: NewConduct): Promise<RunId> {
  const { project, environment, ledger, session, mode, confirmed, warn } = options;
  const { config, agents, trust } = await loadTrusted({ project, environment, warn });
  const read = await readRunPlan({ project, file, config, agents, driver, ...defined({ mode }) });
  checkAnyOpen(read);
  const isConfirmed = confirmed === undefined || confirmed === confirmationHash(read.hash, trust);
  const workspace = { kind: 'checkout', project, environment, config } as const;
  const spec = planSpec(read, ledger, { workspace, isConfirmed });
  return beginRun(
    {
      ...spec,
      check: (run) => {
        checkNoneConducted(ledger, session);
        spec.check?.(run);
      },
      created: (run) => begin({ ledger, run, clock: systemClock }, session),
    },
    { ledger, command, warn },
    async ({ lease }) => lease.run,
  );
}

function begin(place: Pick<Conduct, 'ledger' | 'run' | 'clock'>, session: string): void {
  inRun(place, ({ record, advance }) => {
    record({ kind: 'run.conducted', client: clientName, session, ...defined({ process: clientIdentity() }) });
    record({ kind: 'run.started', command });
    advance();
  });
}

/** Refuses a second run in one conversation: the two would lock each other's scopes. */
function checkNoneConducted(ledger: Ledger, session: string): void {
  const conducted = ledger.conducted(session);
  if (conducted?.isAtWork !== true) return;
  const { run } = conducted;
  throw divisiError('RUN_UNFINISHED', {
    message: `this conversation already conducts ${run}`,
    next: `Continue with it, or end it first: \`divisi cancel ${run}\`.`,
    ids: { run },
  });
}

/** Makes the session the conductor of the run, after accounting for the agents of an earlier one. */
export async function resumeConducted(
  run: RunId,
  options: ConductOptions & { readonly session: string },
): Promise<void> {
  requireTrust(options);
  const conduct = await conductOf(run, options);
  const gone = inRun(conduct, ({ state }) => {
    if (runKind(state.created) !== 'conducted') throw notConducted(run);
    // It already conducts the run, and its agents are running.
    if (state.status === 'running' && state.conductor?.session === options.session) return null;
    if (state.status === 'completed') throw ended(run, state);
    if (options.ledger.conducted(options.session)?.run !== run) checkNoneConducted(options.ledger, options.session);
    return [...state.active.keys()].flatMap((id) => memberOf(state, id) ?? []);
  });
  if (gone === null) return;
  await endLostDelegations(conduct, gone);
  begin(conduct, options.session);
}

/** Verifies returned work first, then describes the state of the run to the conversation. */
export async function conductedText(run: RunId, options: ConductOptions): Promise<string> {
  const conduct = await conductOf(run, options);
  await verifyPending(conduct);
  await lookForChanges(conduct);
  return inRun(conduct, ({ state, advance }) => runText(state, readyNow(advance(), conduct.roles)));
}

/** What is said at the start of a run. */
export async function conductedNotes(
  run: RunId,
  { project, ledger }: Pick<ConductOptions, 'project' | 'ledger'>,
): Promise<string[]> {
  return startNotes(foldRun(ledger, run), (await loadRoles(project)).agents);
}

/** Looks for files that were changed after their work was verified, before the run is shown. */
export async function lookAtCheckout(
  run: RunId,
  place: Pick<ConductOptions, 'project' | 'environment'>,
): Promise<void> {
  try {
    await withLedger(place.project, async (ledger) =>
      lookForChanges(await conductOf(run, { ...place, ledger, warn: () => undefined })),
    );
  } catch (error) {
    // The run is shown as it was last seen.
    if (!isRefusal(error)) throw error;
  }
}

export function answerConducted(
  run: RunId,
  answer: CheckpointAnswer,
  { ledger }: Pick<ConductOptions, 'ledger'>,
): RunState {
  return inRun({ ledger, run, clock: systemClock }, ({ state, record, advance }) => {
    for (const event of answerEvents(state, answer)) record(event);
    advance();
    return state;
  });
}

const stopped: Outcome = {
  status: 'partial',
  summary: '',
  files: [],
  repairs: 0,
  degraded: [],
  failure: { class: 'cancelled', message: 'the run was stopped' },
};

/** Running agents continue in their client; the run no longer waits for their returns. */
export function stopConducted(run: RunId, how: 'pause' | 'cancel', { ledger }: Pick<ConductOptions, 'ledger'>): void {
  inRun({ ledger, run, clock: systemClock }, ({ state, record }) => {
    if (isOver(state.status)) throw ended(run, state);
    for (const { registered } of state.active.values().toArray()) {
      const { delegation, task } = registered;
      record({ kind: 'delegation.ended', delegation, task, end: 'cancelled', outcome: stopped });
    }
    if (how === 'cancel') record({ kind: 'run.ended', status: 'cancelled' });
    else if (state.status !== 'paused') record({ kind: 'run.paused', reason: 'stopped', for: 'stop' });
  });
}

async function conductOf(run: RunId, { project, environment, ledger }: ConductOptions): Promise<Conduct> {
  const roles = await loadRoles(project);
  const newDelegation = delegationIds(systemClock, Math.random);
  return { project, environment, ledger, run, clock: systemClock, newDelegation, roles };
}

function notConducted(run: RunId): Error {
  return divisiError('USAGE', {
    message: `${run} has its own agents and rooms: it is not conducted in a conversation`,
    next: `Leave out \`here\` to resume it, or \`divisi resume ${run}\` in a terminal.`,
    ids: { run },
  });
}

function ended(run: RunId, { status }: RunState): Error {
  return divisiError('RUN_ENDED', {
    message: `${run} has already ended: ${status}`,
    next: `\`divisi report ${run}\` shows its result.`,
    ids: { run },
  });
}

/** Refuses a conducted run: its agents are subagents of a client in the user's checkout, which Divisi cannot resume. */
export function refuseConducted(state: RunState): void {
  if (runKind(state.created) !== 'conducted') return;
  const { run } = state.created;
  throw divisiError('RUN_CONDUCTED', {
    message: `${run} is conducted in a conversation`,
    next: `Resume it in a conversation: \`${resumeCommand(run, 'conducted')}\`. Status, report, diff, approve and cancel work here as well.`,
    ids: { run },
  });
}
