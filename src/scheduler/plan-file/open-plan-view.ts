/** Opens the plan file of a run and keeps it in sync; writes the summary of a run at rest. */
import { join } from 'node:path';
import type { RunEvent } from '../../core/event/event.ts';
import type { RunState } from '../../core/state/state.ts';
import { runFolder } from '../../delegation/delegation-files.ts';
import type { CommitQueue } from '../../ledger/commit-queue.ts';
import { findPlanFile } from '../../project/plan-file.ts';
import { logLine } from '../../views/files/plan-changes.ts';
import { progressLines } from '../../views/run/progress-lines.ts';
import { runReport } from '../../views/run/run-report.ts';
import { runSummary } from '../../views/run/run-summary.ts';
import { writeAtomically } from '../../workspace/atomic-file.ts';
import { folderInside } from '../../workspace/project-path.ts';
import { type PlanFound, type PlanView, planView } from './plan-view.ts';

export interface PlanViewPorts {
  /** Absolute. */
  readonly project: string;
  readonly commits: CommitQueue;
  /** See `unwrittenLog`; empty for a new run. */
  readonly unwritten: readonly string[];
  readonly warn: (error: unknown) => void;
  /** Takes an edit by another process or a person. False, or absent: the run no longer accepts edits. */
  readonly edited?: (found: PlanFound) => boolean;
}

/** The view of a run without a plan file. */
export const noView: PlanView = {
  follow: () => undefined,
  write: async () => undefined,
  watch: () => undefined,
  rename: async () => undefined,
  close: async () => undefined,
};

export async function openPlanView(state: RunState, ports: PlanViewPorts): Promise<PlanView> {
  if (state.planFile === '') return noView;
  const { project, commits, unwritten, warn, edited } = ports;
  const view = planView({
    project,
    file: await findPlanFile(project, state.planFile),
    isKnown: (hash) => state.planHashes.includes(hash),
    unwritten,
    record: (event) => commits.commit([event]),
    changed: (found) => edited?.(found) === true || noteLateEdit(found),
    trouble: warn,
  });
  commits.follow((events) => view.follow(events, state));
  /** A completed run is not resumed: its last edit is recorded as a conflict, and the file is brought in sync. */
  function noteLateEdit({ file, hash }: PlanFound): boolean {
    if (state.status !== 'completed') return false;
    const conflicts = ['the run has completed; the edit has no effect on it'];
    commits.commit([{ kind: 'plan.changed', file, hash, conflicts }]);
    return true;
  }
  return view;
}

/** Brings the plan file in sync with a run that no process works on: its process may have died before it could. */
export async function finishPlanView(state: RunState, ports: PlanViewPorts): Promise<void> {
  const view = await openPlanView(state, ports);
  try {
    await view.write(state);
    await view.rename(state);
  } finally {
    await view.close();
  }
  await writeSummary(ports.project, state);
}

/** Writes `summary.md`: at every rest of a run, while it waits for an answer, and with each wave, for a run that is killed. */
export async function writeSummary(project: string, state: RunState): Promise<void> {
  const folder = runFolder(state.created.run);
  await folderInside(project, folder);
  await writeAtomically(join(project, folder, 'summary.md'), runSummary(runReport(state)));
}

/**
 * UnwrittenLog: the log lines that a crash may have kept from the plan file. These are the lines since the writing before the last
 * one, because the last one may have been recorded and not done.
 */
export interface UnwrittenLog {
  /** Called with each event of the run, in order. */
  readonly seen: (event: RunEvent, state: RunState) => void;
  readonly lines: () => readonly string[];
}

export function unwrittenLog(): UnwrittenLog {
  const words = progressLines();
  let [before, since]: [string[], string[]] = [[], []];
  return {
    seen(event, state) {
      if (event.kind === 'plan.written') [before, since] = [since, []];
      const line = logLine(event, state, words);
      if (line !== undefined) since.push(line);
    },
    lines: () => [...before, ...since],
  };
}
