/** Where a delegation leaves what it writes. */
import type { DriverTask } from '../drivers/driver.ts';
import type { Activity } from '../engine/engine.ts';

/** Relative to the project, with `/`. */
export interface DelegationFiles {
  readonly report: string;
  readonly worklog: string;
  readonly output: string;
  readonly transcript: string;
}

/** An id is a word of the plan; as a file name it keeps its letters, digits, dots and dashes. */
function fileName(task: string): string {
  return task.replaceAll(/[^\w.-]/g, '_');
}

/** `wave-2:review` is the review of its wave, `task-1.3:fix` the fix of that task; what has no colon is a task of the plan. */
function reportName(wave: number, task: string): string {
  const [about = '', what] = task.split(/:(.*)/s);
  if (what === undefined) return `wave-${wave}/task-${fileName(task)}.md`;
  if (about === 'final' || about === 'audit') return `${about}-${fileName(what)}.md`;
  return about.startsWith('wave-')
    ? `${fileName(about)}/wave-${fileName(what)}.md`
    : `wave-${wave}/${fileName(about)}-${fileName(what)}.md`;
}

/** What the task of a trial is called, which is part of no plan. */
export const trialTask = 'try';

export const runFolder = (run: string): string => `.tutti/runs/${run}`;

export function filesOf(run: string, wave: number, task: string, delegation: string): DelegationFiles {
  const folder = runFolder(run);
  return {
    report: `${folder}/reports/${reportName(wave, task)}`,
    worklog: `${folder}/worklogs/${fileName(task)}.jsonl`,
    output: `${folder}/returns/${delegation}.txt`,
    transcript: `${folder}/transcripts/${delegation}`,
  };
}

/** The report of an attempt that another one followed. */
export function earlierReport(report: string, attempt: number): string {
  return report.replace(/\.md$/, `.attempt-${attempt}.md`);
}

/** Where an agent works, and what it is asked there. */
export type Assignment = Pick<DriverTask, 'directory' | 'prompt' | 'returnSchema' | 'tools'>;

/** What a driver is told about an activity. */
export function driverTask(
  project: string,
  run: string,
  { registered, wave, before }: Activity,
  assignment: Assignment,
): DriverTask {
  const places = filesOf(run, wave, registered.task, registered.delegation);
  return {
    run,
    delegation: registered.delegation,
    task: registered.task,
    attempt: registered.attempt,
    agent: registered.agent,
    tier: registered.tier,
    ...assignment,
    reportPath: places.report,
    worklogPath: places.worklog,
    outputFile: `${project}/${places.output}`,
    transcript: `${project}/${places.transcript}`,
    // What failed at it is no beginning for the next one, and neither is what it said about that.
    ...(before?.goesOn === true && before.conversation !== null ? { resumes: before.conversation } : {}),
  };
}
