/** What there is to run or to go on with, within a budget. The titles and names in it are data. Pure. */
import { flatten } from '../../base/flatten.ts';
import { redact } from '../../base/redact.ts';
import { escapeXml, fit } from '../text/escape.ts';

export interface Offered {
  /** Empty where no file describes the run. */
  readonly planFile: string;
  readonly title: string;
  /** Of a run; absent for a plan that has none. */
  readonly run?: string;
  readonly status?: string;
}

export const workBudget = 1200;

/** What does not fit is counted. */
export function workBrief(works: readonly Offered[], budget = workBudget): string {
  if (works.length === 0) {
    return 'Nothing is there: no unfinished run, and no plan in .divisi/plans or plan.md.\nnext: write a plan, then run {"plan":"PATH"}.';
  }
  const frame = '<divisi-work content="data">';
  const end = '\n</divisi-work>\nnext: run {"resume":"RUN"} or run {"plan":"PATH"}.';
  const reserve = '\n<more count="100000"/>'.length;
  let text = frame;
  let left = 0;
  for (const work of works) {
    const line = `\n${workLine(work)}`;
    if (left === 0 && text.length + line.length + reserve + end.length <= budget) text += line;
    else left += 1;
  }
  return `${text}${left === 0 ? '' : `\n<more count="${left}"/>`}${end}`;
}

function workLine({ run, status, planFile, title }: Offered): string {
  const plan = planFile === '' ? '' : ` plan="${fit(clean(planFile), 200, escapeXml)}"`;
  const words = fit(clean(title), 60, escapeXml);
  if (run === undefined) return `<plan${plan}>${words}</plan>`;
  return `<run id="${escapeXml(run)}" status="${escapeXml(status ?? '')}"${plan}>${words}</run>`;
}

const clean = (text: string): string => flatten(redact(text).text);
