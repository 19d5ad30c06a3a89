/** Plan head: reads title and goal of a plan without parsing its tasks, which may be 100,000 rows. */
import { collectPlan } from './read/collect-plan.ts';
import { stemOf } from './plan-name.ts';

/** Title and goal come first. */
const mostRead = 64 * 1024;

/** Accepts any text; the title falls back to the file name. */
export function planHead(text: string, file: string): { readonly title: string; readonly goal: string } {
  const draft = collectPlan(text.slice(0, mostRead), () => undefined);
  const title = draft.title || stemOf(file).replaceAll('-', ' ');
  return { title, goal: draft.goal.join('\n').trim() || draft.opening.join('\n').trim() || title };
}
