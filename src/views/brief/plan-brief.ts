/** A plan before it is run, within a budget: its waves and tasks, a line each. Pure. */
import { flatten } from '../../base/flatten.ts';
import { redact } from '../../base/redact.ts';
import { escapeXml, fit } from '../text/escape.ts';
import type { ShownPlan, ShownTask } from '../run/show-plan.ts';

export const planBudget = 2000;

/** What does not fit is counted; the command shows all of it. */
export function planBrief({ plan, title, waves, checkpoints }: ShownPlan, budget = planBudget): string {
  const lines = waves.flatMap(({ wave, title: words, tasks }) => [
    `wave ${wave}${words === '' ? '' : ` ${plain(words, 80)}`}`,
    ...tasks.map(taskLine),
    ...checkpoints.filter(({ afterWave }) => afterWave === wave).map(({ why }) => `- checkpoint: ${plain(why, 100)}`),
  ]);
  const head = `<divisi-plan file="${plain(plan, 200)}" title="${plain(title, 80)}" content="data">`;
  const end =
    '\n</divisi-plan>\nNothing was started. next: run {"plan":"PATH"}, if the person wants it; `divisi run PATH --mode plan` shows all of it.';
  const reserve = '\nand 100000 more lines'.length;
  let text = head;
  let left = 0;
  for (const line of lines) {
    if (left === 0 && text.length + 1 + line.length + reserve + end.length <= budget) text += `\n${line}`;
    else left += 1;
  }
  return `${text}${left === 0 ? '' : `\nand ${left} more lines`}${end}`;
}

function taskLine({ task, title, mark, tier, agent, scope, after, accept }: ShownTask): string {
  const waits = after.map((one) => ('wave' in one ? `wave ${one.wave}` : one.task)).join(', ');
  const facts = [
    tier,
    plain(agent, 30),
    ...(waits === '' ? [] : [`after ${plain(waits, 60)}`]),
    ...(scope.length === 0 ? [] : [`scope ${plain(scope.join(', '), 80)}`]),
    ...(accept.length === 0 ? [] : [`${accept.length} accept`]),
  ];
  return `[${mark}] ${plain(task, 40)} ${plain(title, 80)} (${facts.join('; ')})`;
}

function plain(text: string, most: number): string {
  return fit(flatten(redact(text).text), most, escapeXml);
}
