/**
 * Runs a trial: one delegation without a plan, in a room of its own, with the prompt, repairs and verification of a run's task.
 * Nothing is recorded in the ledger and nothing is merged.
 *
 * Everything the agent does becomes an outcome. Leaves no process behind, and no folder unless `kept` names it.
 */
import { defined } from '../../base/defined.ts';
import { classesOf, classFor } from '../../delegation/deadline.ts';
import { delegationIds, type RunId } from '../../base/ids.ts';
import { canaryIn } from '../../run-work/canary/canary.ts';
import { acceptCommandsOf } from '../../core/decide/accept-commands.ts';
import { type EventOf, type NewEvent, stamp } from '../../core/event/event.ts';
import type { RunState } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import type { RoomFacts, Verification, WorkspaceFacts } from '../../core/event/verification.ts';
import type { Driver } from '../../drivers/driver.ts';
import type { Activity } from '../../core/attempt/activity.ts';
import type { ActivityEnd, Note } from '../../engine/engine.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Plan, Tier } from '../../plan/plan.ts';
import { changesBetween, type DiffChange } from '../../workspace/git/changes.ts';
import { findRepository, type Repository } from '../../workspace/git/repository.ts';
import { registerDelegation } from '../../core/attempt/register-delegation.ts';
import { type DelegationFiles, filesOf, trialTask } from '../../delegation/delegation-files.ts';
import { reapRun } from '../../run-work/verifier-process.ts';
import { performDelegation } from '../../scheduler/perform/perform-delegation.ts';
import { noPostflight, noUpdate, performStep } from '../../scheduler/perform/perform-step.ts';
import { beginRun, type RunSpec } from '../../scheduler/begin/begin-run.ts';
import { planEvents } from '../../scheduler/begin/plan-events.ts';
import type { ProjectSettings } from '../../project/project-folder.ts';
import { runWorkspace, type RunWorkspace } from '../../run-work/run-workspace.ts';
import { systemClock } from '../../engine/clock.ts';
import { removeTrial, sweepTrials } from './remove-trial.ts';
import type { Holding } from '../../project/with-lease.ts';

export interface TrialRequest extends Holding {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly ledger: Ledger;
  readonly settled: ProjectSettings;
  readonly driver: Driver;
  /** Name of the role. */
  readonly agent: string;
  readonly tier: Tier;
  readonly prompt: string;
  /** Deadline; that of the agent's class where absent. */
  readonly seconds?: number;
  /** Keeps the folder and the branch in any case. */
  readonly keep: boolean;
  /** Called once with the files of the delegation. */
  readonly begun?: (files: DelegationFiles) => void;
}

export type PermissionNote = Pick<Extract<Note, { kind: 'permission.answered' }>, 'asked' | 'granted' | 'why'>;

export interface Trial {
  readonly run: RunId;
  readonly registered: EventOf<'delegation.registered'>;
  readonly files: DelegationFiles;
  /** Run time of the agent. */
  readonly milliseconds: number;
  /** False where the workspace could not be opened. */
  readonly hadFolder: boolean;
  readonly ended: ActivityEnd;
  /** Absent unless the agent reports completed work. */
  readonly verification?: Verification;
  /** Changes in its folder, completed or not. */
  readonly changes: readonly DiffChange[];
  readonly permissions: readonly PermissionNote[];
  readonly uncommitted: number;
  /** Absent where its folder was removed. */
  readonly kept?: RoomFacts;
}

/** Makes the agent give evidence for its result. */
const criterion = 'The request is fulfilled';

export async function tryDelegation(request: TrialRequest, signal: AbortSignal): Promise<Trial> {
  const { project, environment, ledger, settled } = request;
  const repository = await findRepository(project, environment);
  await sweepTrials(repository, ledger, request);
  const workspace = { kind: 'rooms', project, environment, config: settled.config } as const;
  const events: RunSpec['events'] = (run, facts) => trialEvents(run, facts, request);
  return beginRun({ isTrial: true, workspace, events }, request, async ({ state }) => {
    const { run } = state.created;
    let kept: RoomFacts | undefined;
    try {
      const trial = await perform(state, repository, request, signal);
      ({ kept } = trial);
      return trial;
    } finally {
      await reapRun(run);
      await removeTrial(repository, run, kept === undefined ? 'work' : 'rest');
    }
  });
}

async function perform(
  state: RunState,
  repository: Repository,
  request: TrialRequest,
  signal: AbortSignal,
): Promise<Trial> {
  const { project, environment, warn, driver, settled } = request;
  const { run } = state.created;
  const workspace = runWorkspace(state, { project, repository, environment, warn });
  await workspace.prepare();
  const activity = activityOf(state);
  const { registered } = activity;
  const files = filesOf(run, activity.wave, trialTask, registered.delegation);
  request.begun?.(files);
  let room: RoomFacts | undefined;
  let startedAt = performance.now();
  const permissions: PermissionNote[] = [];
  const note = (said: Note): void => {
    if (said.kind === 'workspace.opened') [room, startedAt] = [said.room, performance.now()];
    if (said.kind !== 'permission.answered') return;
    const { asked, granted, why } = said;
    permissions.push({ asked, granted, why });
  };
  const { agents, contracts } = settled;
  const { directoryOf } = workspace;
  const clock = systemClock;
  const place = { project, environment, run };
  const { limits } = settled.config;
  const delegated = performDelegation({ ...place, agents, contracts, driver, limits, directoryOf, workspace, clock });
  const ended = await delegated(activity, signal, note);
  const milliseconds = Math.round(performance.now() - startedAt);
  const seen =
    room === undefined || signal.aborted
      ? undefined
      : await verify({ state, workspace, activity, room, ended }, signal);
  const { base, commit = base } = seen ?? {};
  const changes = base === undefined || commit === undefined ? [] : await changesBetween(repository, base, commit);
  const verification = ended.outcome.status === 'completed' ? seen : undefined;
  const hadFolder = room !== undefined;
  const trial = { run, registered, files, milliseconds, hadFolder, ended, changes, permissions };
  const isKept = request.keep || (!signal.aborted && changes.length > 0 && !isSuccessful(ended, verification));
  return {
    ...trial,
    uncommitted: workspace.facts.uncommitted,
    ...defined({ verification }),
    ...(room === undefined || !isKept ? {} : { kept: room }),
  };
}

/** Completed by the agent's report and by verification. */
export function isSuccessful({ outcome }: ActivityEnd, verification: Verification | undefined): boolean {
  return outcome.status === 'completed' && verification !== undefined && verification.verdict !== 'rejected';
}

/** A plan of one task without a review. */
function trialEvents(run: RunId, workspace: WorkspaceFacts | undefined, request: TrialRequest): NewEvent[] {
  const { prompt, agent, tier, seconds, settled, driver } = request;
  const [title = ''] = prompt.split('\n', 1);
  const row = {
    id: trialTask,
    title,
    description: prompt,
    mark: ' ',
    after: [],
    scope: [],
    accept: [criterion],
    tier,
    agent,
    line: 1,
  } as const;
  const plan: Plan = {
    title: 'A trial',
    goal: '',
    settings: { budgets: {} },
    checkpoints: [],
    waves: [{ number: 1, title: '', tasks: [row], line: 1 }],
  };
  const kind = classFor(agent, classesOf(settled.config.classes));
  const asked = seconds ?? settled.config.deadlines[kind];
  const settings = {
    concurrency: 1,
    driver: driver.name,
    deadlines: asked === undefined ? {} : { [kind]: asked },
    ...classesOf(settled.config.classes),
    mode: 'default',
    budgets: {},
    gated: false,
  } as const;
  return planEvents({ run, file: '', hash: '', plan, settings, ...defined({ workspace }) });
}

function taskIn(state: RunState): TaskState {
  const found = state.tasks.get(trialTask);
  if (found === undefined) throw new Error('the plan has one task');
  return found;
}

function activityOf(state: RunState): Activity {
  const clock = systemClock;
  const newDelegation = delegationIds(clock, Math.random);
  return registerDelegation(taskIn(state), state, { clock, newDelegation }, (event) => stamp(event, clock.now()));
}

interface Done {
  readonly state: RunState;
  readonly workspace: RunWorkspace;
  readonly activity: Activity;
  readonly room: RoomFacts;
  readonly ended: ActivityEnd;
}

/** Collects the changes of any work; runs acceptance commands only for completed work. */
async function verify(done: Done, signal: AbortSignal): Promise<Verification | undefined> {
  const { state, workspace, activity, room, ended } = done;
  const { outcome } = ended;
  const { delegation, attempt, tier } = activity.registered;
  const { run } = state.created;
  const canary = canaryIn(workspace, run);
  const nothingMore = { planFile: () => '', postflight: noPostflight, update: noUpdate };
  const take = performStep({ run, workspace, canary, ...nothingMore });
  const commands = outcome.status === 'completed' ? acceptCommandsOf(state, [taskIn(state)]) : [];
  const of = { task: activity.task, role: activity.role, wave: activity.wave, attempt, tier, delegation, outcome };
  const taken = await take(
    { ...of, purpose: 'verify', key: `${delegation}:verify`, room, commands, unconfirmed: 0 },
    signal,
  );
  return taken?.kind === 'task.verified' ? taken.verification : undefined;
}
