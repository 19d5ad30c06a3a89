/**
 * Serves plans and reports as resources: `divisi://RUN/plan`, `divisi://RUN/report/TASK`. Lists active runs, reads all.
 * Content stays inside the project, redacted and bounded.
 */
import type { ListResourcesResult, ReadResourceResult, Resource } from '@modelcontextprotocol/server';
import { divisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import { redact } from '../base/redact.ts';
import { isOver } from '../core/state/state.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import { readLedger } from '../project/project-ledger.ts';
import { findRun, findRunTask } from '../project/find-run.ts';
import { foldRun } from '../ledger/fold-run.ts';
import { findPlanFile } from '../project/plan-file.ts';
import { readReport } from '../project/read-report.ts';
import { readInside } from '../workspace/project-path.ts';
import type { ServerDeps } from './server-deps.ts';

const mostListed = 100;
/** Characters. */
const longest = 100_000;
const mimeType = 'text/markdown';

/** Newest run first; for each, the plan, then its reports. */
export function listResources({ project }: ServerDeps): ListResourcesResult {
  const ledger = readLedger(project);
  try {
    const active = ledger.runs().filter(({ status }) => !isOver(status));
    const resources: Resource[] = [];
    for (const row of active) {
      if (resources.length >= mostListed) break;
      resources.push(...resourcesOf(ledger, row));
    }
    return { resources: resources.slice(0, mostListed) };
  } finally {
    ledger.close();
  }
}

function resourcesOf(ledger: LedgerReader, { run, title, planFile }: RunRow): Resource[] {
  const { tasks, gateTasks } = foldRun(ledger, run);
  const reports = [...tasks.values(), ...gateTasks.values()].flatMap(({ planned, progress }): Resource[] => {
    if (!('outcome' in progress) || progress.outcome?.report === undefined) return [];
    const uri = `divisi://${run}/report/${encodeURIComponent(planned.id)}`;
    return [{ uri, name: `report ${oneLine(planned.id, 64)}`, title: oneLine(planned.title, 80), mimeType }];
  });
  const plan = { uri: `divisi://${run}/plan`, name: 'plan', title: oneLine(title, 80), mimeType };
  return planFile === '' ? reports : [plan, ...reports];
}

export const resourceTemplates = [
  { uriTemplate: 'divisi://{run}/plan', name: 'plan of a run', mimeType },
  { uriTemplate: 'divisi://{run}/report/{task}', name: 'report of a task', mimeType },
];

const address = /^divisi:\/\/(run_[0-9A-Za-z]{26})\/(?:(plan)|report\/([^/]{1,200}))$/;

export async function readResource({ project }: ServerDeps, uri: string): Promise<ReadResourceResult> {
  const [, run, plan, task] = address.exec(uri) ?? [];
  if (run === undefined) throw unknown(uri);
  const ledger = readLedger(project);
  try {
    const { run: id, planFile } = findRun(ledger, run);
    const text =
      plan === undefined
        ? (await readReport(project, findRunTask(ledger, `${id}/${decoded(task ?? '', uri)}`))).text
        : planFile === ''
          ? undefined
          : await readInside(project, await findPlanFile(project, planFile));
    if (text === undefined) throw unknown(uri);
    const clean = redact(text).text;
    const shown =
      clean.length <= longest ? clean : `${clean.slice(0, longest).toWellFormed()}\n\n(cut at ${longest} characters)`;
    return { contents: [{ uri, mimeType, text: shown }] };
  } finally {
    ledger.close();
  }
}

function decoded(word: string, uri: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    throw unknown(uri);
  }
}

function unknown(uri: string): Error {
  return divisiError('TASK_UNKNOWN', {
    message: `unknown resource: ${oneLine(uri, 200)}`,
    next: 'resources/list shows those of active runs.',
  });
}
