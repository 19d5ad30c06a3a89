/**
 * Runs that a conversation conducts: begun, taken up, answered and stopped like others, but no process of ours drives them.
 * Each call is one or two short transactions; in between, hooks go on with the same run.
 */
import { runKind } from '../../core/event/run-kind.ts';
import { defined } from '../../base/defined.ts';
import { divisiError } from '../../base/error.ts';
import { delegationIds, type RunId } from '../../base/ids.ts';
import type { Outcome } from '../../core/event/outcome.ts';
import { isOver, type RunState } from '../../core/state/state.ts';
import { type Conduct, readyNow } from '../../conversation/conduct.ts';
import { inRun } from '../../conversation/in-run.ts';
import { client, memberOf } from '../../conversation/member.ts';
import { takeAllLost } from '../../conversation/take-return.ts';
import { verifyLeft } from '../../conversation/verify-left.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Mode } from '../../plan/plan.ts';
import { runText } from '../../views/brief/here-text.ts';
import { loadRoles } from '../../workspace/load-roles.ts';
import { answerEvents, type CheckpointAnswer } from '../../core/decide/answer-events.ts';
import { beginRun } from '../../scheduler/begin/begin-run.ts';
import { checkAnyOpen, planSpec, readRunPlan } from '../../scheduler/begin/read-run-plan.ts';
import { loadProject } from '../../project/project-folder.ts';
import { systemClock } from '../../engine/clock.ts';

export interface ConductOptions {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly ledger: Ledger;
  readonly warn: (error: unknown) => void;
}

export interface NewConduct extends ConductOptions {
  /** Of the client. */
  readonly session: string;
  readonly mode?: Mode;
  /** The hash of what a person has seen: of another plan no command is run. Absent where all plans are trusted. */
  readonly confirmed?: string;
}

/** What stands for a driver in such a run. */
const driver = 'conversation';
const command = 'divisi in a conversation';

/** Creates the run with the session as its conductor; its first wave may be delegated then. */
export async function conductPlan(file: string, options: NewConduct): Promise<RunId> {
  const { project, environment, ledger, session, mode, confirmed, warn } = options;
  const { config, agents } = await loadProject(project, warn);
  const read = await readRunPlan({ project, file, config, agents, driver, ...defined({ mode }) });
  checkAnyOpen(read);
  const isConfirmed = confirmed === undefined || confirmed === read.hash;
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
    record({ kind: 'run.conducted', client, session });
    record({ kind: 'run.started', command });
    advance();
  });
}

/** One conversation conducts one run: two would lock each other's scopes without knowing. */
function checkNoneConducted(ledger: Ledger, session: string): void {
  const conducted = ledger.conducted(session);
  if (conducted?.isAtWork !== true) return;
  const { run } = conducted;
  throw divisiError('RUN_UNFINISHED', {
    message: `this conversation conducts ${run} already`,
    next: `Go on with it, or end it first: \`divisi cancel ${run}\`.`,
    ids: { run },
  });
}

/** The session conducts the run from here on; what agents of an earlier one left is accounted for. */
export async function conductAgain(run: RunId, options: ConductOptions & { readonly session: string }): Promise<void> {
  const conduct = await conductOf(run, options);
  const gone = inRun(conduct, ({ state }) => {
    if (runKind(state.created) !== 'conducted') throw notConducted(run);
    // It conducts the run already: its agents are at work.
    if (state.status === 'running' && state.conductor?.session === options.session) return null;
    if (state.status === 'completed') throw ended(run, state);
    if (options.ledger.conducted(options.session)?.run !== run) checkNoneConducted(options.ledger, options.session);
    return [...state.active.keys()].flatMap((id) => memberOf(state, id) ?? []);
  });
  if (gone === null) return;
  await takeAllLost(conduct, gone);
  begin(conduct, options.session);
}

/** The text that tells the conversation where the run is; what nobody has verified is verified first. */
export async function conductedText(run: RunId, options: ConductOptions): Promise<string> {
  const conduct = await conductOf(run, options);
  await verifyLeft(conduct);
  return inRun(conduct, ({ state, advance }) => runText(state, readyNow(advance(), conduct.roles)));
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

/** Agents that are at work go on in their client; what they return finds a run that does not wait for it. */
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
    message: `${run} has its own agents and worktrees: it is not conducted in a conversation`,
    next: `Leave out \`here\` to go on with it, or \`divisi resume ${run}\` in a terminal.`,
    ids: { run },
  });
}

function ended(run: RunId, { status }: RunState): Error {
  return divisiError('RUN_ENDED', {
    message: `${run} has ended already: ${status}`,
    next: `\`divisi report ${run}\` shows what became of it.`,
    ids: { run },
  });
}

/** Its agents are subagents of a client, and share the user's checkout: nothing of ours could go on with them. */
export function refuseConducted(state: RunState): void {
  if (runKind(state.created) !== 'conducted') return;
  const { run } = state.created;
  throw divisiError('RUN_CONDUCTED', {
    message: `${run} is conducted in a conversation`,
    next: 'Take it up there: `/divisi:resume`. Status, report, approve and cancel work here as well.',
    ids: { run },
  });
}
