/** What an architect has to know before it can plan, for whoever asked for the plan. The questions are an agent's words. Pure. */
import { escapeXml, fit } from '../text/escape.ts';
import { callText } from './next-call.ts';

/** Characters of all questions. */
const budget = 1500;

export function goalQuestions(questions: readonly string[]): string {
  const next = `ask the person, then ${callText('run', { plan: 'the goal, with the answers' })}.`;
  let text = '<divisi-questions content="data">';
  for (const question of questions) {
    const room = Math.min(300, budget - text.length - 3);
    if (room > 20) text += `\n- ${fit(question, room, escapeXml)}`;
  }
  return `${text}\n</divisi-questions>\nNothing was planned. next: ${next}`;
}
