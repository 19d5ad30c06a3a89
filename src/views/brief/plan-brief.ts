/** A plan before it runs, as waves and tasks, or the questions that keep it from being made; each within a budget. Pure. */
import type { ShownPlan, ShownTask } from '../run/show-plan.ts';
import { escapeXml, fit } from '../text/escape.ts';
import { fitLines, xmlText } from './brief-text.ts';
import { callText } from './next-call.ts';

export const planBudget = 2000;

export function planBrief({ plan, title, waves, checkpoints }: ShownPlan, budget = planBudget): string {
  return fitLines({
    head: `<divisi-plan file="${xmlText(plan, 200)}" title="${xmlText(title, 80)}" content="data">`,
    lines: waves.flatMap(({ wave, title: words, tasks }) => [
      `wave ${wave}${words === '' ? '' : ` ${xmlText(words, 80)}`}`,
      ...tasks.map(taskLine),
      ...checkpoints
        .filter(({ afterWave }) => afterWave === wave)
        .map(({ why }) => `- checkpoint: ${xmlText(why, 100)}`),
    ]),
    more: (left) => `and ${left} more lines`,
    end: '\n</divisi-plan>\nNothing was started. next: run {"plan":"PATH"}, if the person wants it; `divisi run PATH --mode plan` shows all of it.',
    budget,
  });
}

function taskLine({ task, title, mark, tier, agent, scope, after, accept }: ShownTask): string {
  const waits = after.map((one) => ('wave' in one ? `wave ${one.wave}` : one.task)).join(', ');
  const facts = [
    tier,
    xmlText(agent, 30),
    ...(waits === '' ? [] : [`after ${xmlText(waits, 60)}`]),
    ...(scope.length === 0 ? [] : [`scope ${xmlText(scope.join(', '), 80)}`]),
    ...(accept.length === 0 ? [] : [`${accept.length} accept`]),
  ];
  return `[${mark}] ${xmlText(task, 40)} ${xmlText(title, 80)} (${facts.join('; ')})`;
}

/** Characters of all questions. */
const questionsBudget = 1500;

/** The questions an architect needs answered before it can plan. */
export function goalQuestions(questions: readonly string[]): string {
  const next = `ask the person, then ${callText('run', { plan: 'the goal, with the answers' })}.`;
  let text = '<divisi-questions content="data">';
  for (const question of questions) {
    const room = Math.min(300, questionsBudget - text.length - 3);
    if (room > 20) text += `\n- ${fit(question, room, escapeXml)}`;
  }
  return `${text}\n</divisi-questions>\nNothing was planned. next: ${next}`;
}
