/** What an architect has to know before it can plan, for the context of whoever asked for the plan. Pure. */
import { framedBrief } from './brief-frame.ts';
import { runBudget } from './run-brief.ts';

const questionsBudget = 2 * runBudget;

export function questionsBrief(run: string, questions: readonly string[]): string {
  return framedBrief({
    run,
    status: 'unclear',
    facts: [` questions="${questions.length}"`],
    pieces: questions.map((text) => ({ tag: 'question', of: '', text })),
    next: 'ask the person, then run {"command":"plan …"} with the description and the answers.',
    budget: questionsBudget,
  });
}
