/** What a plan is about, without reading its tasks: 100,000 rows need not be parsed to know its title. */
import { collectPlan } from './read/collect-plan.ts';
import { stemOf } from './plan-name.ts';

/** The title and the goal come first. */
const mostRead = 64 * 1024;

/** Of any text: one that is no plan has the title its file's name gives it. */
export function planHead(text: string, file: string): { readonly title: string; readonly goal: string } {
  const draft = collectPlan(text.slice(0, mostRead), () => undefined);
  const title = draft.title || stemOf(file).replaceAll('-', ' ');
  return { title, goal: draft.goal.join('\n').trim() || draft.opening.join('\n').trim() || title };
}
