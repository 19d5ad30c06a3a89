/**
 * Performs one delegation: starts the agent, reads its return, asks for at most two repairs in the same conversation, and leaves no
 * process behind. Everything the agent does becomes an outcome; only a fault in Divisi is thrown.
 */
import { type Agents, checkAgents, findAgent } from '../../agents/registry.ts';
import { defined } from '../../base/defined.ts';
import { isRefusal } from '../../base/error.ts';
import { redactedLine } from '../../base/text.ts';
import { contractSchema } from '../../contracts/write/json-schema.ts';
import type { Contracts } from '../../contracts/registry.ts';
import { asReturned, type ReturnWay } from '../../contracts/return-way.ts';
import { repairMessage } from '../../contracts/write/prompt.ts';
import { attemptPrompt } from '../../core/attempt/attempt-prompt.ts';
import { contractFor, mayReturnNothing, recordedDocument, returnCheck } from '../../core/attempt/return-check.ts';
import type { DelegationLimits } from '../../base/delegation-limits.ts';
import type { Tier } from '../../plan/plan.ts';
import type { RoomFacts } from '../../core/event/verification.ts';
import type { Driver, DriverTask } from '../../drivers/driver.ts';
import type { Clock } from '../../engine/clock.ts';
import type { Activity } from '../../core/attempt/activity.ts';
import type { ActivityEnd } from '../../engine/engine.ts';
import type { Perform } from '../../engine/local/local-engine.ts';
import { readInside } from '../../workspace/project-path.ts';
import { prepareDelegation } from '../../workspace/prepare-delegation.ts';
import { driverNote, driverTask, judgesOthers } from './driver-task.ts';
import { collectWorklog } from '../../reading/keep-report.ts';
import { broken } from '../../reading/outcome.ts';
import type { RefusedPermission } from './blame-refusals.ts';
import { answerOf, converse, stopped } from './converse.ts';
import { redactOutput } from './redact-output.ts';
import type { Recover } from '../reconcile.ts';
import type { RunWorkspace } from '../../run-work/run-workspace.ts';
import { type Reader, readReturn } from '../../reading/take-return.ts';

export interface RecoverDeps {
  /** Absolute. */
  readonly project: string;
  /** This process's. */
  readonly environment: NodeJS.ProcessEnv;
  readonly run: string;
  readonly agents: Agents;
  readonly contracts: Contracts;
  readonly driver: Pick<Driver, 'recover'>;
  /** Absolute: the folder of a delegation. */
  readonly directoryOf: (room: RoomFacts) => string;
}

export interface PerformDeps extends RecoverDeps {
  readonly driver: Driver;
  readonly clock: Clock;
  /** Of one delegation, by tier. */
  readonly limits: Readonly<Record<Tier, DelegationLimits>>;
  readonly workspace: Pick<RunWorkspace, 'open' | 'changedFiles' | 'hasChanges'>;
}

export function performDelegation(deps: PerformDeps): Perform {
  return async (activity, signal, note) => {
    const { project, clock, driver } = deps;
    const contract = contractFor({ ...activity, agent: activity.registered.agent }, deps);
    const silent = mayReturnNothing(activity, contract);
    const { agent, tier } = activity.registered;
    const { tools } = findAgent(deps.agents, agent);
    const asked = { agent, tier, isReview: judgesOthers(activity.role, agent), ...defined({ tools }) };
    const by = wayFor(driver.returnWay(asked), silent);
    const { delegation, at, deadline: registered } = activity.registered;
    // Not read from the clock again: it may step meanwhile.
    const milliseconds = registered - at;
    let task: DriverTask;
    let folder: RoomFacts;
    const reader = (): Reader => ({ project, contract, by, task, ...checksOf(activity, deps.agents) });
    try {
      checkAgents(deps.agents, [agent]);
      const { task: id, attempt } = activity.registered;
      await prepareDelegation(deps, { run: deps.run, wave: activity.wave, task: id, delegation, attempt });
      const { directory, room, linked, variables, confinement } = await deps.workspace.open(activity, signal, tools);
      folder = room;
      note({ kind: 'workspace.opened', delegation, room, deadline: clock.now() + milliseconds });
      const { run, agents } = deps;
      const carried = room.carried === undefined ? {} : { carriedTo: directory };
      const prompt = attemptPrompt(activity, { run, agents, contract, by, milliseconds, ...carried });
      const returnSchema = contractSchema(asReturned(contract, by));
      const limits = deps.limits[activity.registered.tier];
      const refuse = async (json: string): Promise<string | undefined> => refusalOf(reader(), json);
      const given = { limits, linked, refuse, variables, ...defined({ tools, confinement }) };
      task = driverTask(deps, activity, { directory, prompt, returnSchema, ...given });
    } catch (error) {
      return signal.aborted ? stopped({ repairs: 0 }) : unusable(error);
    }

    const stop = new AbortController();
    let timedOut = false;
    const forward = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', forward);
    if (signal.aborted) forward();
    const disarm = clock.after(milliseconds, () => {
      timedOut = true;
      stop.abort('gently');
    });
    const refused: RefusedPermission[] = [];
    const conversation = driver.start(task, stop.signal, (said) => {
      if (said.kind === 'permission' && !said.granted) refused.push(said);
      note(driverNote(delegation, said));
    });
    try {
      const read = { ...reader(), by };
      const seconds = Math.round(milliseconds / 1000);
      const changedFiles = (): Promise<string[]> => deps.workspace.changedFiles(folder);
      const hasChanges = async (): Promise<boolean> => silent && deps.workspace.hasChanges(folder);
      const hasWork = async (): Promise<boolean> =>
        (await readInside(task.directory, task.reportPath)) !== undefined || (await isChanged(deps.workspace, folder));
      const ended = await converse({
        ...read,
        conversation,
        note,
        isReview: task.isReview,
        seconds,
        timedOut: () => timedOut,
        refused: () => refused,
        hasChanges,
        hasWork,
      });
      return await withLeft(ended, changedFiles);
    } catch (error) {
      return unusable(error);
    } finally {
      disarm();
      signal.removeEventListener('abort', forward);
      await conversation.close();
      await collectWorklog(project, task);
      await redactOutput(task);
    }
  };
}

/** Reads a submitted result as a return of the whole delegation is read. */
async function refusalOf(reader: Reader, json: string): Promise<string | undefined> {
  const { contract, task, by = 'tool' } = reader;
  const { reading } = await readReturn(reader, json);
  return reading.ok ? undefined : repairMessage(contract, reading.violations, { by, reportPath: task.reportPath });
}

/** A task that needs a return is asked for a message. */
function wayFor(way: ReturnWay, silent: boolean): ReturnWay {
  return way === 'exit-code' && !silent ? 'message' : way;
}

/** The disk refused, an agent left a symlink behind, or the task does not fit into an assignment. */
function unusable(error: unknown): ActivityEnd {
  if (!isRefusal(error)) throw error;
  const failure = { class: 'environment', message: `could not start work: ${error.message}` } as const;
  return { end: 'returned', outcome: broken(failure, 'failed', { repairs: 0 }) };
}

function checksOf(activity: Activity, agents: Agents): Pick<Reader, 'check' | 'keeps' | 'document'> {
  return {
    check: returnCheck(activity, agents),
    keeps: recordedDocument(activity),
    document: activity.task.document,
  };
}

/** In doubt there is work. */
async function isChanged(workspace: Pick<RunWorkspace, 'hasChanges'>, room: RoomFacts): Promise<boolean> {
  try {
    return await workspace.hasChanges(room);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return true;
  }
}

const mostLeft = 50;

/** Records the files of an attempt that did not complete: the next one continues from them, and people see them. */
async function withLeft(ended: ActivityEnd, changedFiles: () => Promise<string[]>): Promise<ActivityEnd> {
  const { outcome } = ended;
  // A quota is a pause: its attempt is not accounted for.
  if (outcome.status === 'completed' || outcome.failure.class === 'quota') return ended;
  try {
    const left = (await changedFiles()).slice(0, mostLeft).map((path) => redactedLine(path, 300));
    return left.length === 0 ? ended : { ...ended, outcome: { ...outcome, left } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return ended;
  }
}

/** After a crash: reads the return of a delegation that had finished before it could be recorded. */
export function recoverDelegation(deps: RecoverDeps): Recover {
  return async (activity, repairs) => {
    // Without a recorded folder the agent was never started.
    if (activity.room === undefined) return undefined;
    const contract = contractFor({ ...activity, agent: activity.registered.agent }, deps);
    const directory = deps.directoryOf(activity.room);
    const returnSchema = contractSchema(contract);
    const asked = { directory, prompt: '', returnSchema, limits: {}, refuse: async () => undefined };
    const task = driverTask(deps, activity, asked);
    try {
      const said = await deps.driver.recover(task);
      return said === null
        ? undefined
        : await answerOf({ project: deps.project, contract, task, ...checksOf(activity, deps.agents) }, said, repairs);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    } finally {
      await redactOutput(task);
    }
  };
}
