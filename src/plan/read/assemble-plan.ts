/** Assemble plan: turns mentions into tasks, each in its wave. Decides which mention declares a task. */
import { defined } from '../../base/defined.ts';
import type { TaskDraft, WaveDraft } from './draft.ts';
import { finishTask, join } from './finish-task.ts';
import { marked, type MarkPlace } from './mark-place.ts';
import type { TaskPlaces } from '../plan-document.ts';
import type { Blame } from '../plan-fault.ts';
import { blameCycles, checkDependencies, levels } from '../plan-graph.ts';
import type { PlanDraft } from './plan-reader.ts';
import type { PlanCheckpoint, PlanTask, PlanWave } from '../plan.ts';

export interface Assembled {
  readonly waves: readonly PlanWave[];
  readonly tasks: ReadonlyMap<string, TaskPlaces>;
}

export function assembleWaves(text: string, draft: PlanDraft, blame: Blame): Assembled {
  const areWaves = draft.waves.size > 0;
  const groups = areWaves
    ? [...draft.waves.values()].toSorted((one, other) => one.number - other.number)
    : [draft.loose];
  const known = new Map<string, TaskDraft>();
  const members = groups.map((wave) => declared(wave, known, areWaves, blame));
  for (const wave of areWaves ? [...groups, draft.loose] : groups) attach(wave, known, wave !== draft.loose, blame);

  const finished = new Map<string, PlanTask>();
  const waveOf = new Map<string, number>();
  for (const [index, wave] of groups.entries()) {
    for (const member of members[index] ?? []) {
      finished.set(member.id, finishTask(text, member, blame));
      waveOf.set(member.id, wave.number);
    }
  }
  if (finished.size === 0 && !areWaves && !draft.loose.isRefused)
    blame('empty-plan', 1, 'no tasks: found no table and no checklist with ids');
  checkDependencies({ tasks: finished, waveOf, waves: new Set(draft.waves.keys()) }, blame);
  const level = levels(finished);
  if (level.size < finished.size) blameCycles(finished, level, blame);
  const waves = areWaves
    ? groups.map(({ number, title, line, review }, index) => ({
        number,
        title,
        line,
        ...defined({ reviewTier: review?.tier, reviewer: review?.reviewer }),
        tasks: tasksOf(members[index], finished),
      }))
    : computedWaves(finished, level);
  const places = [...known.values()].map(({ id, marks, reports }) => [id, { marks, reports }] as const);
  return { waves, tasks: new Map(places) };
}

function tasksOf(members: readonly TaskDraft[] | undefined, finished: ReadonlyMap<string, PlanTask>): PlanTask[] {
  return (members ?? []).flatMap(({ id }) => finished.get(id) ?? []);
}

/** Table rows declare tasks; without rows, checklist items; without those, sections. */
function declared(wave: WaveDraft, known: Map<string, TaskDraft>, areWaves: boolean, blame: Blame): TaskDraft[] {
  const source = (['row', 'item', 'section'] as const).find((kind) =>
    wave.mentions.some((mention) => mention.source === kind && mention.id !== ''),
  );
  const members: TaskDraft[] = [];
  for (const mention of wave.mentions) {
    if (mention.id === '') {
      if (source === 'item') blame('no-id', mention.line, 'the task has no id');
      continue;
    }
    if (mention.source !== source) continue;
    const before = known.get(mention.id);
    if (before === undefined) {
      known.set(mention.id, mention);
      members.push(mention);
    } else if (source !== 'item' || before.part === mention.part || before.source !== 'item') {
      blame('duplicate-id', mention.line, `${mention.id} is already declared in line ${before.line}`);
    }
  }
  if (areWaves && members.length === 0 && !wave.isRefused) {
    blame('empty-wave', wave.line, `wave ${wave.number} has no tasks: found no table and no checklist with ids in it`);
  }
  return members;
}

/** Outside waves, a plan may mention tasks that are not part of it. */
function attach(wave: WaveDraft, known: ReadonlyMap<string, TaskDraft>, isStrict: boolean, blame: Blame): void {
  for (const mention of wave.mentions) {
    if (mention.id === '') continue;
    const task = known.get(mention.id);
    if (task === mention) continue;
    if (task) {
      if (mention.source !== 'row') join(task, mention);
    } else if (isStrict && (mention.source === 'section' || mention.marks.length > 0))
      blame('unknown-task', mention.line, `${mention.id} is not a task of the plan`);
  }
}

function computedWaves(tasks: ReadonlyMap<string, PlanTask>, level: ReadonlyMap<string, number>): PlanWave[] {
  const waves: PlanTask[][] = [];
  for (const task of tasks.values()) (waves[(level.get(task.id) ?? 1) - 1] ??= []).push(task);
  return waves.map((members, index) => ({ number: index + 1, title: '', tasks: members, line: members[0]?.line ?? 1 }));
}

export interface Checkpoints {
  readonly list: readonly PlanCheckpoint[];
  readonly places: ReadonlyMap<number, readonly MarkPlace[]>;
}

export function assembleCheckpoints(draft: PlanDraft, waves: readonly PlanWave[], blame: Blame): Checkpoints {
  const list = new Map<number, PlanCheckpoint>();
  const places = new Map<number, MarkPlace[]>();
  const numbers = new Set(waves.map(({ number }) => number));
  for (const { afterWave, why, line, marks } of draft.checkpoints) {
    if (!numbers.has(afterWave)) {
      blame('bad-checkpoint', line, `unknown wave ${afterWave}`);
      continue;
    }
    const all = [...(places.get(afterWave) ?? []), ...marks];
    places.set(afterWave, all);
    // Several checkpoints after one wave are one pause, passed when all of them are.
    const earlier = list.get(afterWave);
    const reason = [earlier?.why ?? '', why].filter((part) => part !== '').join('; ');
    const passed = (earlier === undefined || earlier.passed === true) && marked(marks) === 'x';
    list.set(afterWave, { afterWave, why: reason, ...(passed ? { passed } : {}) });
  }
  const sorted = [...list.values()].toSorted((one, other) => one.afterWave - other.afterWave);
  return { list: sorted, places };
}
