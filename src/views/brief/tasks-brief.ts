/** Backlog tasks within a budget. Titles and reasons are data. Pure. */
import { flatten } from '../../base/flatten.ts';
import { redact } from '../../base/redact.ts';
import { escapeXml, fit } from '../text/escape.ts';

export interface ShownTask {
  readonly number: number;
  readonly title: string;
  readonly status: string;
  readonly language?: string | undefined;
  readonly reason?: string | undefined;
  readonly artifacts?: readonly { readonly path: string }[] | undefined;
}

const tasksBudget = 1200;

/** What does not fit is counted. */
export function tasksBrief(tasks: readonly ShownTask[], none: string, budget = tasksBudget): string {
  if (tasks.length === 0) return `${none}\nnext: run {"command":"task add TITLE"} makes one.`;
  const end = '\n</divisi-tasks>\nnext: run {"command":"research N"}, and plan, implement, review.';
  const reserve = '\n<more count="1000000"/>'.length;
  let text = '<divisi-tasks content="data">';
  let left = 0;
  for (const task of tasks) {
    const line = `\n${taskLine(task, tasks.length === 1)}`;
    if (left === 0 && text.length + line.length + reserve + end.length <= budget) text += line;
    else left += 1;
  }
  return `${text}${left === 0 ? '' : `\n<more count="${left}"/>`}${end}`;
}

const clean = (text: string, most: number): string => fit(flatten(redact(text).text), most, escapeXml);

/** Of a single one, what was written for it as well. */
function taskLine({ number, title, status, language, reason, artifacts = [] }: ShownTask, isOnly: boolean): string {
  const more = [
    ...(language === undefined ? [] : [` language="${clean(language, 40)}"`]),
    ...(reason === undefined ? [] : [` reason="${clean(reason, 200)}"`]),
    ...(isOnly && artifacts.length > 0
      ? [` artifacts="${clean(artifacts.map(({ path }) => path).join(', '), 500)}"`]
      : []),
  ];
  return `<task number="${number}" status="${clean(status, 20)}"${more.join('')}>${clean(title, 100)}</task>`;
}
