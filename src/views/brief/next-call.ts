/** Next call: the tool call that follows a run's brief. Contains no agents' words. Pure. */
import type { RunReport } from '../run/run-report.ts';
import type { ShownStatus } from '../run/shown-status.ts';

/** `run {"resume":"run_…"}`. */
export function callText(tool: string, input: Readonly<Record<string, unknown>>): string {
  return `${tool} ${JSON.stringify(input)}`;
}

export function nextCall(report: RunReport, shown: ShownStatus): string {
  const { run, checkpoints, workspace } = report;
  const resume = callText('run', { resume: run, ...(workspace?.kind === 'checkout' ? { here: true } : {}) });
  if (shown === 'interrupted') return `its process is gone; ${resume} resumes it.`;
  if (shown === 'waiting for a conductor') return `no conversation conducts it; ${resume} resumes it.`;
  const [open] = checkpoints;
  if (open !== undefined) {
    const which = checkpoints.length > 1 || open.kind === 'edit' ? { checkpoint: open.checkpoint } : {};
    return `ask the person, then ${callText('answer', { approve: true, ...which, run })} (or false), then ${resume}.`;
  }
  switch (shown) {
    case 'completed': {
      const hasWork = workspace !== undefined && workspace.head !== workspace.base;
      return hasWork ? `\`divisi merge ${run}\`, if the person wants it; report {"task":…} shows more.` : moreText;
    }
    case 'failed':
      return `report {"task":…} says why; ${resume} retries what did not complete.`;
    case 'running':
      return `${resume} waits for it.`;
    case 'planning':
    case 'paused':
    case 'cancelled':
      return `${resume} resumes it.`;
    default:
      return shown satisfies never;
  }
}

const moreText = 'report {"task":…} shows more.';
