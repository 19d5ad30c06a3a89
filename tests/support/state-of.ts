/** A state from a few words: plans and events as tests need them. */
import { newRunId } from '../../src/base/ids.ts';
import { type DelegationId, delegationIdSchema } from '../../src/base/ids.ts';
import { apply } from '../../src/core/apply/apply.ts';
import type { Decision } from '../../src/core/decide/decision.ts';
import { decide } from '../../src/core/decide/decide.ts';
import { type End, type NewEvent, stamp } from '../../src/core/event/event.ts';
import { outcomeFrom, type PartialOutcome } from '../../src/core/event/make-outcome.ts';
import type { Outcome } from '../../src/core/event/outcome.ts';
import type { RunState } from '../../src/core/state/state.ts';
import { classFor } from '../../src/delegation/deadline.ts';
import type { Plan, PlanTask } from '../../src/plan/plan.ts';
import { planEvents, type RunPlan } from '../../src/scheduler/begin/plan-events.ts';

export type TaskWords = Partial<PlanTask> & { readonly id: string };

export function planOf(waves: readonly (readonly TaskWords[])[], more: Partial<Plan> = {}): Plan {
  return {
    title: 'A plan',
    goal: 'a goal',
    settings: { budgets: {} },
    checkpoints: [],
    waves: waves.map((tasks, at) => ({
      number: at + 1,
      title: `wave ${at + 1}`,
      line: 1,
      tasks: tasks.map((task) => ({
        title: `Task ${task.id}`,
        description: `Do ${task.id}.`,
        mark: ' ',
        after: [],
        scope: [],
        accept: [],
        line: 1,
        ...task,
      })),
    })),
    ...more,
  };
}

/** The run of a plan, created and not started. Nothing is reviewed and nothing tried again unless it is `gated`. */
export function createdRun(
  plan: Plan,
  concurrency = 2,
  gated = false,
  more: Pick<RunPlan, 'workspace' | 'isConfirmed'> = {},
): RunState {
  const mode = plan.settings.mode ?? 'default';
  const settings = { concurrency, driver: 'command', deadlines: {}, mode, budgets: plan.settings.budgets, gated };
  const run = newRunId(new Date(0), () => 0);
  let state: RunState | undefined;
  for (const event of planEvents({ run, file: 'plan.md', hash: 'h', plan, settings, ...more }))
    state = apply(state, stamp(event, 0));
  if (state === undefined) throw new Error('a plan has events');
  return state;
}

export function happen(state: RunState, ...events: readonly NewEvent[]): RunState {
  for (const event of events) apply(state, stamp(event, 1000));
  return state;
}

let counter = 0;

/**
 * Lets the core decide until it has nothing more to say but which steps are to be taken; gives the delegations it has
 * asked for, by task. Where there is a workspace, each has its folder.
 */
export function advance(state: RunState, { opensFolders = true } = {}): Map<string, DelegationId> {
  const started = new Map<string, DelegationId>();
  const wanted = (): Exclude<Decision, { kind: 'step' }>[] =>
    decide(state).filter((command) => command.kind !== 'step');
  for (let commands = wanted(); commands.length > 0; commands = wanted()) {
    for (const command of commands) {
      switch (command.kind) {
        case 'record':
        case 'open-checkpoint':
          happen(state, command.event);
          break;
        case 'delegate': {
          counter += 1;
          const delegation = delegationIdSchema.parse(`sess_1700000000_${String(counter).padStart(6, '0')}`);
          const { planned, tier, attempts } = command.task;
          const { agent, id: task } = planned;
          started.set(task, delegation);
          const path = ['orchestrator', 'run', agent];
          happen(state, {
            kind: 'delegation.registered',
            delegation,
            task,
            attempt: attempts + 1,
            agent,
            tier,
            class: classFor(agent, {}),
            path,
            deadline: 8_000_000,
          });
          const room = {
            folder: `/rooms/${task}`,
            branch: `divisi-task/run/${task.replaceAll(':', '_')}`,
            base: state.head ?? 'ba5e',
          };
          if (state.created.workspace !== undefined && opensFolders)
            happen(state, { kind: 'workspace.opened', delegation, room, deadline: 8_000_000 });
          break;
        }
        default:
          command satisfies never;
      }
    }
  }
  return started;
}

export const outcomeOf = (status: Outcome['status'], more: PartialOutcome = {}): Outcome =>
  outcomeFrom({ status, summary: `it is ${status}`, ...more });

export function end(
  state: RunState,
  task: string,
  status: Outcome['status'],
  more: PartialOutcome = {},
  how: End = 'returned',
): RunState {
  for (const { registered } of state.active.values()) {
    if (registered.task !== task) continue;
    const { delegation } = registered;
    return happen(state, {
      kind: 'delegation.ended',
      delegation,
      task,
      end: how,
      outcome: outcomeOf(status, more),
    });
  }
  throw new Error(`${task} is not running`);
}
