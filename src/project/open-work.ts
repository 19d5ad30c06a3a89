/** Lists unfinished work: runs that are not over, and plans in the plan folders without a run. */
import { createdRun } from '../ledger/created-run.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../base/text.ts';
import { isOver } from '../core/state/state.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { planHead } from '../plan/plan-head.ts';
import { planStates, withState } from '../plan/plan-name.ts';
import type { ShownStatus } from '../views/run/shown-status.ts';
import { readInside } from '../workspace/project-path.ts';
import { isSamePlan } from './plan-file.ts';
import { shownStatusOf } from './shown-status-of.ts';

interface About {
  /** Relative to the project. */
  readonly planFile: string;
  readonly title: string;
  readonly goal: string;
}

export type OpenWork = About &
  ({ readonly kind: 'run'; readonly row: RunRow; readonly state: ShownStatus } | { readonly kind: 'plan' });

/** Our own, and the one that earlier orchestrators left in projects. Plans run where they are. */
export const planFolders = ['.divisi/plans', '.swarm'] as const;
/** More are not read. */
const mostPlans = 200;

function goalOf(ledger: LedgerReader, { run, title }: RunRow): string {
  return createdRun(ledger, run)?.plan.goal ?? title;
}

/** Newest first. */
export function openRuns(ledger: LedgerReader): OpenWork[] {
  return ledger
    .runs()
    .filter(({ status }) => !isOver(status))
    .map((row) => {
      const { title, planFile } = row;
      const state = shownStatusOf(ledger, row);
      return { kind: 'run', row, state, planFile, title, goal: goalOf(ledger, row) };
    });
}

/** A missing or unreadable folder has no plans. */
async function plansIn(project: string, folder: string): Promise<string[]> {
  const names = await readdir(join(project, folder)).catch(() => []);
  const plans = names.filter((name) => name.endsWith('.md')).toSorted();
  return plans.map((name) => `${folder}/${name}`);
}

/** The state in the plan's name; undefined for a plan that was never started. */
function stateIn(name: string): (typeof planStates)[number] | undefined {
  return planStates.find((state) => withState(name, state) === name);
}

/** Plans without a run whose names say they were started; `all` includes those never started. */
export async function waitingPlans(project: string, ledger: LedgerReader, all = false): Promise<OpenWork[]> {
  const kept = await Promise.all(planFolders.map(async (folder) => plansIn(project, folder)));
  const begun = kept.flat().filter((file) => {
    const state = stateIn(file);
    return state === undefined ? all : state === 'inprogress' || state === 'paused';
  });
  const files = [...begun, ...(all ? ['plan.md'] : [])];
  const known = ledger.runs().map(({ planFile }) => planFile);
  const found: OpenWork[] = [];
  for (const planFile of files.slice(0, mostPlans)) {
    if (known.some((other) => isSamePlan(other, planFile))) continue;
    const text = await readInside(project, planFile).catch(() => undefined);
    if (text !== undefined) found.push({ kind: 'plan', planFile, ...planHead(text, planFile) });
  }
  return found;
}

export function workLine(work: OpenWork): string {
  const { title, planFile } = work;
  const file = oneLine(planFile, 200);
  const words = oneLine(title, 60);
  if (work.kind === 'plan') return `${file} (no run yet) ${words}`;
  return `${work.row.run} (${work.state}) ${words}${file === '' ? '' : `, ${file}`}`;
}

/** Everything to resume or to start: unfinished runs first, then plans. */
export async function listOpenWork(project: string, ledger: LedgerReader): Promise<OpenWork[]> {
  return [...openRuns(ledger), ...(await waitingPlans(project, ledger, true))];
}
