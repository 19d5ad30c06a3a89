/** Plans of any size, as data and as text: four waves, each task with a scope of its own. */
import type { Plan, PlanTask } from '../src/index.ts';

const waves = [1, 2, 3, 4];

function taskOf(wave: number, at: number): PlanTask {
  const title = `Move part ${at} of module ${wave} to the new interface`;
  return {
    id: `${wave}.${at}`,
    title,
    description: title,
    mark: ' ',
    after: [],
    scope: [`src/module-${wave}/part-${at}.ts`],
    accept: ['its tests pass'],
    line: 1,
  };
}

/** A quarter of the tasks in each wave. */
export function planOf(tasks: number): Plan {
  return {
    title: 'A new interface',
    goal: 'Every part of every module uses the new interface.',
    settings: { budgets: {} },
    checkpoints: [],
    waves: waves.map((number) => ({
      number,
      title: `Module ${number}`,
      line: 1,
      tasks: Array.from({ length: tasks / waves.length }, (_, at) => taskOf(number, at + 1)),
    })),
  };
}

/** The same as a person would write it. */
export function planText(tasks: number): string {
  const lines = ['# A new interface', '', '## Goal', 'Every part of every module uses the new interface.', ''];
  for (const { number, title, tasks: own } of planOf(tasks).waves) {
    lines.push(`## Wave ${number}: ${title}`, '', '| ID | Task | Scope | Accept | Status |', '|---|---|---|---|---|');
    for (const task of own) {
      lines.push(`| ${task.id} | ${task.title} | ${task.scope.join(', ')} | ${task.accept.join('; ')} | [ ] |`);
    }
    lines.push('');
  }
  return lines.join('\n');
}
