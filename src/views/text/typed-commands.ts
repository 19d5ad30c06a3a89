/** Typed commands: what a person types to resume a run and to merge its work. A conducted run continues in a conversation, not in a terminal. */
import type { RunKind } from '../../core/event/run-kind.ts';
import type { RunReport } from '../run/run-report.ts';
import type { ShownStatus } from '../run/shown-status.ts';

/** `divisi resume run_…`, or what is typed in the client that conducts the run. */
export function resumeCommand(run: string, kind: RunKind): string {
  return kind === 'conducted' ? `/divisi:resume ${run} --here` : `divisi resume ${run}`;
}

/** The same, for a run whose report is at hand. */
export function resumeOf({ run, workspace }: Pick<RunReport, 'run' | 'workspace'>): string {
  return resumeCommand(run, workspace?.kind === 'checkout' ? 'conducted' : 'plan');
}

/** With `--yes` where the command would ask: not all of it was done, or others have added commits. */
export function mergeCommand({ run, status, tasks, workspace }: RunReport): string {
  const isSure = status === 'completed' && tasks.every((task) => task.status === 'completed');
  return `divisi merge ${run}${isSure && workspace?.foreign === 0 ? '' : ' --yes'}`;
}

/** What a person does to continue a run that nothing works on; undefined for any other. */
export function continueText(status: ShownStatus, run: string): string | undefined {
  if (status === 'interrupted') return `its process is gone: \`${resumeCommand(run, 'plan')}\` resumes it`;
  if (status !== 'waiting for a conductor') return undefined;
  return `no conversation conducts it: start \`claude\` and type \`${resumeCommand(run, 'conducted')}\``;
}
