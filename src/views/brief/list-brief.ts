/** Lists within a budget: the runs and plans to continue, and the backlog tasks. Titles, names and reasons are data. Pure. */
import { escapeXml } from '../text/escape.ts';
import { fitLines, xmlText } from './brief-text.ts';

export interface Offered {
  /** Empty for a run without a plan file. */
  readonly planFile: string;
  readonly title: string;
  /** Absent for a plan without a run. */
  readonly run?: string;
  readonly status?: string;
}

export interface BacklogTask {
  readonly number: number;
  readonly title: string;
  readonly status: string;
  readonly language?: string | undefined;
  readonly reason?: string | undefined;
  readonly artifacts?: readonly { readonly path: string }[] | undefined;
}

export const listBudget = 1200;
const more = (left: number): string => `<more count="${left}"/>`;

export function workBrief(works: readonly Offered[], budget = listBudget): string {
  if (works.length === 0) {
    return 'No unfinished run, and no plan in .divisi/plans, .swarm or plan.md.\nnext: write a plan, then run {"plan":"PATH"}.';
  }
  const end = '\n</divisi-work>\nnext: run {"resume":"RUN"} or run {"plan":"PATH"}.';
  return fitLines({ head: '<divisi-work content="data">', lines: works.map(workLine), more, end, budget });
}

function workLine({ run, status, planFile, title }: Offered): string {
  const plan = planFile === '' ? '' : ` plan="${xmlText(planFile, 200)}"`;
  const words = xmlText(title, 60);
  if (run === undefined) return `<plan${plan}>${words}</plan>`;
  return `<run id="${escapeXml(run)}" status="${escapeXml(status ?? '')}"${plan}>${words}</run>`;
}

/** `none` is the answer for an empty list. */
export function tasksBrief(tasks: readonly BacklogTask[], none: string, budget = listBudget): string {
  if (tasks.length === 0) return `${none}\nnext: run {"command":"task add TITLE"} adds one.`;
  const end = '\n</divisi-tasks>\nnext: run {"command":"research N"}, or plan, implement, review.';
  const lines = tasks.map((task) => taskLine(task, tasks.length === 1));
  return fitLines({ head: '<divisi-tasks content="data">', lines, more, end, budget });
}

/** A task shown alone lists its artifacts too. */
function taskLine({ number, title, status, language, reason, artifacts = [] }: BacklogTask, isOnly: boolean): string {
  const facts = [
    ...(language === undefined ? [] : [` language="${xmlText(language, 40)}"`]),
    ...(reason === undefined ? [] : [` reason="${xmlText(reason, 200)}"`]),
    ...(isOnly && artifacts.length > 0
      ? [` artifacts="${xmlText(artifacts.map(({ path }) => path).join(', '), 500)}"`]
      : []),
  ];
  return `<task number="${number}" status="${xmlText(status, 20)}"${facts.join('')}>${xmlText(title, 100)}</task>`;
}
