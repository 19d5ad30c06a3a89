/** What whoever has read a run's brief does next, in the words of the tools. Nothing of it comes from an agent. Pure. */
import type { RunReport } from '../run/run-report.ts';

/** A call as it is written in an answer: `run {"resume":"run_…"}`. */
export function callText(tool: string, input: Readonly<Record<string, unknown>>): string {
  return `${tool} ${JSON.stringify(input)}`;
}

export function nextCall(report: RunReport, isInterrupted: boolean): string {
  const { run, status, checkpoints, workspace } = report;
  const resume = callText('run', { resume: run, ...(workspace?.kind === 'checkout' ? { here: true } : {}) });
  if (isInterrupted) return `its process is gone; ${resume} goes on with it.`;
  const [open] = checkpoints;
  if (open !== undefined) {
    const which = checkpoints.length > 1 || open.kind === 'edit' ? { checkpoint: open.checkpoint } : {};
    return `ask the person, then ${callText('answer', { approve: true, ...which, run })} (or false), then ${resume}.`;
  }
  switch (status) {
    case 'completed': {
      const hasWork = workspace !== undefined && workspace.head !== workspace.base;
      return hasWork ? `\`divisi merge ${run}\`, if the person wants it; report {"task":…} has more.` : moreText;
    }
    case 'failed':
      return `report {"task":…} says why; ${resume} tries again what did not complete.`;
    case 'running':
      return `${resume} waits for it.`;
    default:
      return `${resume} goes on with it.`;
  }
}

const moreText = 'report {"task":…} has more.';
