/** The real core, loop and local engine on a store in memory, with work whose ends a script says: same script, same run. */
import { defined } from '../../src/base/defined.ts';
import { delegationIds, newRunId } from '../../src/base/ids.ts';
import { apply } from '../../src/core/apply/apply.ts';
import { checkEvent, type End, type EventOf, type NewEvent, type RunEvent } from '../../src/core/event/event.ts';
import { outcomeFrom, type PartialOutcome } from '../../src/core/event/make-outcome.ts';
import type { RunState } from '../../src/core/state/state.ts';
import type { Clock } from '../../src/engine/clock.ts';
import type { WorkspaceFacts } from '../../src/core/event/verification.ts';
import type { Activity } from '../../src/core/attempt/activity.ts';
import type { ActivityEnd, Note } from '../../src/engine/engine.ts';
import { localEngine, type PerformStep } from '../../src/engine/local/local-engine.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { answerEvents, type CheckpointAnswer } from '../../src/core/decide/answer-events.ts';
import { planEvents } from '../../src/scheduler/begin/plan-events.ts';
import { reconcile } from '../../src/scheduler/reconcile.ts';
import { commitFirst, commitQueue } from '../../src/ledger/commit-queue.ts';
import { runLoop } from '../../src/scheduler/run-loop.ts';

/** What comes of an attempt; its tier and the task's id tell one from another, also after a crash. */
export type Script = (activity: Activity) => PartialOutcome & { readonly end?: End };

interface WorkOptions {
  readonly crashAt?: number;
  /** Whether what had been returned before a crash is found again. */
  readonly recovers?: boolean;
  readonly start?: Pick<EventOf<'run.started'>, 'skipFailed' | 'audit' | 'onTrouble'>;
}

export interface ScriptedRun {
  readonly events: RunEvent[];
  readonly activities: Activity[];
  /** Works on the run until it rests; throws once so many events are durable. */
  work(options?: WorkOptions): Promise<RunState>;
  /** To what is asked, while no one works on it. */
  answer(answer: CheckpointAnswer): RunState;
  /** Whatever else happens while no one works on it. */
  say(...events: NewEvent[]): RunState;
  state(): RunState;
}

interface WorkspaceOptions {
  readonly workspace?: WorkspaceFacts;
  readonly performStep?: PerformStep;
}

/** From where the run's branch is. */
function openedBy({ registered, task }: Activity, { head, created }: RunState): Note {
  const { delegation, deadline } = registered;
  const base = head ?? created.workspace?.base ?? '';
  return {
    kind: 'workspace.opened',
    delegation,
    deadline,
    room: { folder: task.id, branch: `divisi-task/run/${task.id.replaceAll(':', '_')}`, base },
  };
}

export class Crash extends Error {}

/** Time stands still: what waits for a time gets it at once. */
const stillClock: Clock = {
  now: () => 1_700_000_000_000,
  after(_milliseconds, callback) {
    const timer = setImmediate(callback);
    return () => clearImmediate(timer);
  },
};

export function scriptedRun(
  plan: Plan,
  script: Script,
  settings: Partial<EventOf<'run.created'>['settings']> = {},
  options: WorkspaceOptions = {},
): ScriptedRun {
  const { workspace } = options;
  return scriptedWork(
    planEvents({
      run: newRunId(new Date(0), () => 0),
      file: 'plan.md',
      hash: 'h',
      plan,
      settings: {
        concurrency: 3,
        driver: 'scripted',
        deadlines: {},
        mode: 'default',
        budgets: {},
        gated: true,
        ...settings,
      },
      isConfirmed: true,
      ...defined({ workspace }),
    }),
    script,
    options,
  );
}

/** Of a run that begins with these events. */
export function scriptedWork(
  first: readonly NewEvent[],
  script: Script,
  { workspace, performStep }: WorkspaceOptions = {},
): ScriptedRun {
  const events: RunEvent[] = [];
  const activities: Activity[] = [];
  const newDelegation = delegationIds(stillClock, Math.random);
  let crashAt = Infinity;

  const endOf = (activity: Activity): ActivityEnd => {
    const { end = 'returned', ...outcome } = script(activity);
    return { end, outcome: outcomeFrom(outcome) };
  };
  /** What has no folder yet has said nothing. */
  const isKnown = ({ room }: Activity): boolean => workspace === undefined || room !== undefined;
  const append = (all: readonly RunEvent[]): number => {
    for (const event of all) {
      events.push(checkEvent(event));
      if (events.length >= crashAt) throw new Crash();
    }
    return events.length;
  };
  const committing = { lease: { append }, clock: stillClock };
  const state = (): RunState => {
    let folded: RunState | undefined;
    for (const event of events) folded = apply(folded, event);
    if (folded === undefined) throw new Error('the run has no events');
    return folded;
  };
  commitFirst(first, committing);
  const say = (...all: readonly NewEvent[]): RunState => {
    const now = state();
    commitQueue(now, committing).commit(all);
    return now;
  };

  async function work({ crashAt: at = Infinity, recovers = false, start = {} }: WorkOptions = {}): Promise<RunState> {
    crashAt = at;
    try {
      const now = state();
      const found = await reconcile(now, async (activity) =>
        recovers && isKnown(activity) ? endOf(activity) : undefined,
      );
      const commits = commitQueue(now, committing);
      commits.commit([...found, { kind: 'run.started', command: 'a test', ...start }]);
      return await runLoop(now, {
        engine: localEngine({
          async perform(activity, _signal, note) {
            activities.push(activity);
            if (workspace !== undefined) note(openedBy(activity, now));
            return endOf(activity);
          },
          ...defined({ performStep }),
          clock: stillClock,
        }),
        clock: stillClock,
        newDelegation,
        commits,
        grace: 0,
        atCheckpoint: 'pause',
      });
    } finally {
      crashAt = Infinity;
    }
  }

  return {
    events,
    activities,
    work,
    answer: (answer) => say(...answerEvents(state(), answer)),
    say,
    state,
  };
}

/** What was begun from this event on, without what gates asked for. */
export function begun(events: readonly RunEvent[], from: number, { tasks }: RunState): string[] {
  const ids = events.slice(from).flatMap((event) => (event.kind === 'delegation.registered' ? [event.task] : []));
  return ids.filter((id) => tasks.has(id));
}
