/**
 * Sorts the edits of a plan file into amendments that apply at once, amendments that need a person's yes as a whole, and
 * conflicts.
 */
import { defined } from '../../base/defined.ts';
import type { Amendment } from '../../core/event/amendment.ts';
import { haveSameLimits, isLimited } from '../../core/plan-edit/compare-tasks.ts';
import type { PlanEdit } from '../../core/plan-edit/plan-edit.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import type { RunState } from '../../core/state/state.ts';
import type { PlanEdited } from '../../engine/engine.ts';
import type { Plan, PlanTask } from '../../plan/plan.ts';
import { plannedTask, type WaveOrder } from '../begin/plan-events.ts';

interface Sorted extends Pick<PlanEdited, 'toConfirm'> {
  readonly amendments: Amendment[];
  readonly conflicts: string[];
  /** An edit among them needs a person's yes. */
  needsYes: boolean;
}

/** The position of a wave that is not in this run; amendments that need it are refused. */
const nowhere = 1_000_000;

/** `now` is the plan after `edits`. `needsYes`: whatever the edits are. */
export function planAmendments(
  state: RunState,
  edits: readonly PlanEdit[],
  now: Plan,
  needsYes: boolean,
): Pick<PlanEdited, 'amendments' | 'toConfirm' | 'conflicts'> {
  const sorted: Sorted = { amendments: [], toConfirm: [], conflicts: [], needsYes };
  const order = new Map(state.waves.map(({ inPlan, number }) => [inPlan, number]));
  for (const edit of edits) sort(state, edit, now, order, sorted);
  if (!sorted.needsYes) return sorted;
  // As a whole: one half may not make sense without the other.
  return { amendments: [], toConfirm: sorted.amendments, conflicts: sorted.conflicts };
}

function sort(state: RunState, edit: PlanEdit, now: Plan, order: Map<number, number>, sorted: Sorted): void {
  const { amendments, conflicts } = sorted;
  // The bounds of agents change only with a person's yes, because agents can write to the file too. The run's own bounds count:
  // the file may show what a person has rejected.
  const known = (id: string): PlannedTask | undefined => state.tasks.get(id)?.planned;
  const placeOf = (number: number): number => order.get(number) ?? state.waves.length + 1;
  switch (edit.kind) {
    case 'renamed':
      amendments.push({ kind: 'rename', from: edit.from, to: edit.to });
      return;
    case 'removed': {
      const gone = known(edit.task);
      sorted.needsYes ||= gone !== undefined && isLimited(gone);
      amendments.push({ kind: 'remove', task: edit.task });
      return;
    }
    case 'added': {
      const added: Amendment = { kind: 'add', wave: placeOf(edit.wave), at: edit.at, task: planned(edit.task, order) };
      // Acceptance criteria may be commands, and new commands need a person's yes.
      sorted.needsYes ||= edit.task.accept.length > 0 || edit.task.mark === 'x';
      amendments.push(added);
      if (edit.task.mark === 'x') amendments.push({ kind: 'tick', task: edit.task.id });
      return;
    }
    case 'moved':
      amendments.push({ kind: 'move', task: edit.task, wave: placeOf(edit.wave), at: edit.at });
      return;
    case 'changed': {
      const task = known(edit.task.id);
      sorted.needsYes ||= task !== undefined && !haveSameLimits(task, edit.task);
      amendments.push({ kind: 'change', task: planned(edit.task, order) });
      return;
    }
    case 'ticked':
      sorted.needsYes = true;
      amendments.push({ kind: 'tick', task: edit.task });
      return;
    case 'unticked':
      conflicts.push(
        `${edit.task} was unticked; \`divisi resume ${state.created.run} from task ${edit.task}\` runs it again`,
      );
      return;
    case 'reordered':
      amendments.push({ kind: 'order', wave: placeOf(edit.wave), tasks: [...edit.tasks] });
      return;
    case 'wave-added': {
      const { number, title, reviewTier = 'deep', reviewer } = edit;
      if (number < (state.waves.at(-1)?.inPlan ?? 0)) {
        conflicts.push(`wave ${number} was inserted between others; this run adds waves at its end`);
        order.set(number, nowhere);
        return;
      }
      const before = amendments.filter(({ kind }) => kind === 'add-wave').length;
      order.set(number, state.waves.length + before + 1);
      amendments.push({ kind: 'add-wave', number, title, reviewTier, ...defined({ reviewer: reviewer?.agent }) });
      return;
    }
    case 'wave-changed': {
      const { number, title, reviewTier = 'deep', reviewer } = edit;
      const wave = state.waves[placeOf(number) - 1];
      sorted.needsYes ||= wave?.reviewTier !== reviewTier || wave.reviewer !== reviewer?.agent;
      amendments.push({
        kind: 'change-wave',
        wave: placeOf(number),
        title,
        reviewTier,
        ...defined({ reviewer: reviewer?.agent }),
      });
      return;
    }
    case 'checkpoint-added': {
      const { afterWave, why } = edit;
      const isPassed = now.checkpoints.some((one) => one.afterWave === afterWave && one.why === why && one.passed);
      if (!isPassed) amendments.push({ kind: 'add-checkpoint', afterWave: placeOf(afterWave), why });
      return;
    }
    case 'checkpoint-removed':
      sorted.needsYes = true;
      amendments.push({ kind: 'remove-checkpoint', afterWave: placeOf(edit.afterWave), why: edit.why });
      return;
    case 'settings':
      conflicts.push(`settings (${edit.keys.join(', ')}) apply from the next run on`);
      return;
    case 'plan-changed':
      conflicts.push(`the ${edit.fields.join(' and the ')} of the run stays as it was`);
      return;
    // Its tasks are removed or moved by edits of their own; an empty wave ends as soon as it starts.
    case 'wave-removed':
      return;
    default:
      edit satisfies never;
  }
}

function planned(task: PlanTask, order: WaveOrder): ReturnType<typeof plannedTask> {
  return { ...plannedTask(task, order), done: false };
}
