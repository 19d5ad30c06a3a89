/** Names the files that a delegation writes. */

/** Paths with `/`. */
export interface DelegationFiles {
  /** Relative to the project, for people and other agents to read. */
  readonly report: string;
  readonly worklog: string;
  /** Relative to the project's state folder, for this user alone. */
  readonly output: string;
  readonly transcript: string;
  /** The report of a delegation in the checkout, where the agent of an earlier attempt may still write. */
  readonly keptReport: string;
}

/** Keeps letters, digits, dots and dashes. */
function fileName(task: string): string {
  return task.replaceAll(/[^\w.-]/g, '_');
}

/**
 * `wave-2:review` is the review of its wave, `task-1.3:fix` the fix of that task; an id without a colon is a task of
 * the plan.
 */
function reportName(wave: number, task: string): string {
  const [about = '', what] = task.split(/:(.*)/s);
  if (what === undefined) return `wave-${wave}/task-${fileName(task)}.md`;
  if (about === 'final' || about === 'audit') return `${about}-${fileName(what)}.md`;
  return about.startsWith('wave-')
    ? `${fileName(about)}/wave-${fileName(what)}.md`
    : `wave-${wave}/${fileName(about)}-${fileName(what)}.md`;
}

/** The id of a trial's task, which belongs to no plan. */
export const trialTask = 'try';

/** Of reports, worklogs and the output of checks, relative to the project. */
export const runFolder = (run: string): string => `.divisi/runs/${run}`;

/** Of returns and transcripts, relative to the project's state folder. */
export const runState = (run: string): string => `runs/${run}`;

export function filesOf(run: string, wave: number, task: string, delegation: string): DelegationFiles {
  const [folder, state] = [runFolder(run), runState(run)];
  return {
    report: `${folder}/reports/${reportName(wave, task)}`,
    worklog: `${folder}/worklogs/${fileName(task)}.jsonl`,
    output: `${state}/returns/${delegation}.txt`,
    transcript: `${state}/transcripts/${delegation}`,
    keptReport: `${state}/reports/${delegation}.md`,
  };
}

/** The report of an attempt that was followed by another. */
export function earlierReport(report: string, attempt: number): string {
  return report.replace(/\.md$/, `.attempt-${attempt}.md`);
}
