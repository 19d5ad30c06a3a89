/** Lists completion values of an argument: runs and tasks from the ledger, plans from the disk, fixed words. */
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { programNames } from '../../config/client-settings.ts';
import { oneLine } from '../../base/text.ts';
import type { RunId } from '../../base/ids.ts';
import type { PlannedTask } from '../../core/event/planned-task.ts';
import { whyOf } from '../../core/state/checkpoint-why.ts';
import { isOver, openCheckpoints } from '../../core/state/state.ts';
import { type LedgerReader, openLedger } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { troubleAnswers } from '../../core/event/checkpoint.ts';
import { modes, tiers } from '../../plan/plan.ts';
import { stemOf } from '../../plan/plan-name.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { statusKey, taskStatuses } from '../../todo/task-status.ts';
import { findRun } from '../../project/find-run.ts';
import { movedProjects } from '../../project/moved-projects.ts';
import { counted } from '../../views/text/quantity.ts';
import { ledgerFile, stateFolder } from '../../workspace/places.ts';
import { planFolders } from '../../project/open-work.ts';

export interface Candidate {
  readonly value: string;
  readonly about: string;
}

export interface Asked {
  readonly project: string;
  /** Such as `run` or `contract show`. */
  readonly command: string;
  /** The name of an argument, or an option with its dashes. */
  readonly name: string;
  readonly before: readonly string[];
  /** Typed so far. */
  readonly partial: string;
}

const words = (...values: readonly string[]): Candidate[] => values.map((value) => ({ value, about: '' }));

/** Bypasses the runtime, which loads everything that runs agents. */
function withLedger<T>(project: string, work: (ledger: LedgerReader) => T): T {
  const ledger = openLedger(ledgerFile(project), { readOnly: true, unchecked: true });
  try {
    return work(ledger);
  } finally {
    ledger.close();
  }
}

/** A run that has completed cannot be resumed, and one that is over cannot be stopped. */
function isMeant(command: string, { status }: RunRow): boolean {
  if (command === 'resume' || command === 'run') return status !== 'completed';
  return ['pause', 'cancel', 'approve', 'reject'].includes(command) ? !isOver(status) : true;
}

function runs({ project, command }: Asked): Candidate[] {
  return withLedger(project, (ledger) =>
    ledger
      .runs()
      .filter((row) => isMeant(command, row))
      .map(({ run, status, title }) => ({ value: run, about: `${status}: ${title}` })),
  );
}

/** RUN/TASK; without RUN, tasks of the active run. */
function addressed({ project, partial }: Asked, list: (ledger: LedgerReader, run: RunId) => Candidate[]): Candidate[] {
  const slash = partial.indexOf('/');
  return withLedger(project, (ledger) => {
    const { run } = findRun(ledger, slash === -1 ? undefined : partial.slice(0, slash));
    return list(ledger, run).map(({ value, about }) => ({ value: partial.slice(0, slash + 1) + value, about }));
  });
}

const candidate = ({ id, title }: PlannedTask): Candidate => ({ value: id, about: title });

/** Tasks as first planned: only the first events are read. */
function plannedTasks(asked: Asked): Candidate[] {
  return addressed(asked, (ledger, run) => {
    const found: Candidate[] = [];
    for (const event of ledger.read(run)) {
      if (event.kind !== 'run.created' && event.kind !== 'wave.planned') break;
      if (event.kind === 'wave.planned') found.push(...event.tasks.map(candidate));
    }
    return found;
  });
}

/** Includes reviews and fixes. */
function allTasks(asked: Asked): Candidate[] {
  return addressed(asked, (ledger, run) => {
    const { tasks, gateTasks } = foldRun(ledger, run);
    return [...tasks.values(), ...gateTasks.values()].map(({ planned }) => candidate(planned));
  });
}

/** Archived tasks are offered only to `task show`. */
function backlogTasks({ project, command }: Asked): Candidate[] {
  return withLedger(project, ({ taskList }) =>
    taskList
      .tasks({ archived: command === 'task show' })
      .map(({ number, status, title }) => ({ value: String(number), about: `${status}: ${title}` })),
  );
}

function checkpoints({ project, before: [run] }: Asked): Candidate[] {
  return withLedger(project, (ledger) => {
    const state = foldRun(ledger, findRun(ledger, run).run);
    return openCheckpoints(state).map((one) => ({ value: one.id, about: whyOf(state, one) }));
  });
}

const isPlanFile = (name: string): boolean =>
  name.endsWith('.md') && !/-(?:completed|failed|cancelled)\.md$/.test(name);

async function planFiles({ project, partial }: Asked): Promise<Candidate[]> {
  const typed = partial.slice(0, partial.lastIndexOf('/') + 1);
  const kept = planFolders.map((folder) => {
    const plans = relative(process.cwd(), join(project, folder));
    return plans === '' ? '' : `${plans}/`;
  });
  const folders = [...new Set([typed, ...kept])];
  const names = await Promise.all(
    folders.map(async (folder) => {
      const all = await readdir(folder === '' ? '.' : folder).catch(() => []);
      return all.filter((name) => isPlanFile(name) && !name.startsWith('.')).map((name) => folder + name);
    }),
  );
  return names.flat().map((value) => ({ value, about: oneLine(stemOf(value).replaceAll('-', ' '), 60) }));
}

function resumePhrase(asked: Asked): Candidate[] {
  const last = asked.before.at(-1)?.toLowerCase();
  if (last === 'from') return words('wave', 'task');
  if (last === 'skip') return words('failed');
  if (last === 'task') return plannedTasks(asked);
  if (last === 'wave') return [];
  const phrases = [
    { value: 'from', about: 'wave N, or task ID' },
    { value: 'skip', about: 'failed: leave failed tasks as they are' },
  ];
  return asked.before.length === 0 ? [...runs(asked), ...phrases] : phrases;
}

async function whatToRun(asked: Asked): Promise<Candidate[]> {
  const [first = '', ...before] = asked.before;
  if (first === 'resume') return resumePhrase({ ...asked, before });
  if (asked.before.length > 0) return [];
  return [...(await planFiles(asked)), { value: 'resume', about: 'resume a run' }];
}

async function contracts({ project }: Asked): Promise<Candidate[]> {
  const { loadContracts } = await import('../../workspace/own-contracts.ts');
  return [...(await loadContracts(project)).values()].map(({ name, purpose }) => ({ value: name, about: purpose }));
}

/** An invalid config has no drivers; completion reports no errors. */
async function drivers({ project }: Asked): Promise<Candidate[]> {
  const { loadConfig } = await import('../../project/project-folder.ts');
  const config = await loadConfig(project).catch(() => undefined);
  const own = Object.entries(config?.drivers ?? {}).map(([value, { kind }]) => ({ value, about: kind }));
  const known = words('command', 'scripted', ...programNames);
  return [...own, ...known.filter(({ value }) => config?.drivers[value] === undefined)];
}

async function roles({ project }: Asked): Promise<Candidate[]> {
  const { loadRoles } = await import('../../workspace/load-roles.ts');
  const { agents } = await loadRoles(project);
  return Array.from(agents.byName.values(), ({ name, description = '' }) => ({ value: name, about: description }));
}

/** Drivers and roles for `divisi try`. `command` and `scripted` only if the config describes them. */
async function triable(asked: Asked): Promise<Candidate[]> {
  const isThere = ({ value, about }: Candidate): boolean => about !== '' || !['command', 'scripted'].includes(value);
  return [...(await drivers(asked)).filter(isThere), ...(await roles(asked).catch(() => []))];
}

/** Projects that are gone. */
function formerPaths({ project }: Asked): Candidate[] {
  const moved = movedProjects(dirname(stateFolder(project)));
  return moved.map(({ path, runs: count }) => ({ value: path, about: counted(count, 'run') }));
}

/** Empty for unknown arguments: the shell then offers files. */
export async function completionValues(asked: Asked): Promise<Candidate[]> {
  const { command, name } = asked;
  if (name === 'run') return runs(asked);
  if (name === 'task') return allTasks(asked);
  if (name === 'number') return backlogTasks(asked);
  if (name === '--status') return words(...taskStatuses.map(statusKey));
  if (name === '--from-task') return plannedTasks(asked);
  if (name === '--checkpoint') return checkpoints(asked);
  if (name === '--mode') return words('plan', ...modes);
  if (name === '--marks') return words('branch', 'again', 'done');
  if (name === '--on-trouble') return words('ask', ...troubleAnswers);
  if (name === '--driver') return drivers(asked);
  if (name === '--tier') return words(...tiers);
  if (name === '--role') return roles(asked);
  if (name === 'agent') return triable(asked);
  if (name === 'old') return formerPaths(asked);
  if (name === 'shell') return words('bash', 'zsh', 'fish');
  if (name === 'name' && command.startsWith('contract ')) return contracts(asked);
  if (name !== 'what') return [];
  if (command === 'run') return whatToRun(asked);
  if (command === 'resume') return resumePhrase(asked);
  return ['report', 'diff', 'path', 'verify'].includes(command)
    ? [...allTasks(asked), ...(asked.partial.includes('/') ? [] : runs(asked))]
    : [];
}
