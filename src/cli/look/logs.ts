/**
 * `divisi logs`: prints the transcript of a task's newest delegation, or its output if the client keeps no transcript. Follows it
 * while it runs.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { divisiError } from '../../base/error.ts';
import type { DelegationId, RunId } from '../../base/ids.ts';
import type { Amendment } from '../../core/event/amendment.ts';
import { transcriptFiles } from '../../drivers/transcript/transcript-file.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { filesOf, trialTask } from '../../delegation/delegation-files.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { livingHolder } from '../../project/with-lease.ts';
import { stateFolder } from '../../workspace/places.ts';
import { isMissing } from '../../workspace/project-path.ts';
import { findRunTask, type RunTask } from '../../project/find-run.ts';
import { findTrial } from '../try/find-trial.ts';
import { type Answer, exitCodes } from '../output.ts';
import { showChecks } from './show-checks.ts';
import { showOutput } from './show-output.ts';
import { allEntries, showRaw, showTranscript, streamEntries } from './show-transcript.ts';

export interface LogsOptions {
  readonly json?: boolean;
  readonly follow?: boolean;
  /** Messages of the client as sent. */
  readonly raw?: boolean;
  /** The output of its acceptance commands, or of its set-up, instead. */
  readonly checks?: boolean;
  readonly setup?: boolean;
}

interface Registered {
  readonly delegation: DelegationId;
  readonly attempt: number;
}

function newestDelegation(ledger: LedgerReader, { row, task }: RunTask): Registered {
  /** By the names that tasks have by then. */
  const delegations = new Map<string, Registered>();
  for (const event of ledger.read(row.run)) {
    if (event.kind === 'delegation.registered')
      delegations.set(event.task, { delegation: event.delegation, attempt: event.attempt });
    if (event.kind === 'plan.amended') for (const amendment of event.amendments) rename(delegations, amendment);
  }
  const newest = delegations.get(task.planned.id);
  if (newest !== undefined) return newest;
  throw divisiError('TASK_UNKNOWN', {
    message: `task ${task.planned.id} has not been delegated yet (it is ${task.progress.status})`,
    next: `\`divisi status ${row.run}\` shows what it waits for.`,
    ids: { run: row.run, task: task.planned.id },
  });
}

function rename(delegations: Map<string, Registered>, amendment: Amendment): void {
  if (amendment.kind === 'remove') delegations.delete(amendment.task);
  if (amendment.kind !== 'rename') return;
  const delegation = delegations.get(amendment.from);
  delegations.delete(amendment.from);
  if (delegation !== undefined) delegations.set(amendment.to, delegation);
}

export async function logs(project: string, address: string, options: LogsOptions): Promise<Answer> {
  const ledger = readLedger(project);
  try {
    const { run, id, wave, delegation, attempt, isActive } = await subjectOf(project, ledger, address);
    if (options.checks === true || options.setup === true) {
      const of = { project, run, task: id, delegation, attempt };
      return await showChecks(ledger, of, options.checks === true ? 'accept' : 'setup', options.json === true);
    }
    const places = filesOf(run, wave, id, delegation);
    const folder = stateFolder(project);
    const [output, transcript] = [join(folder, places.output), join(folder, places.transcript)];
    const said = [output, `${output}.repair-1`, `${output}.repair-2`, `${output}.stderr`];
    const follow = (): boolean => options.follow === true && isActive();
    const hasTranscript = await begins(transcript, said, follow);
    const about = { run, task: id, delegation };

    if (options.json === true && !(hasTranscript && (options.follow === true || options.raw === true))) {
      const kept = [...said, ...(await transcriptFiles(transcript)).map(({ path }) => path)];
      const sizes = await Promise.all(kept.map(async (file) => ({ file, bytes: await sizeOf(file) })));
      const entries = hasTranscript ? { entries: await allEntries(transcript) } : {};
      const json = { ...about, files: sizes.filter(({ bytes }) => bytes !== null), ...entries };
      return { code: exitCodes.completed, json, text: '' };
    }
    if (!hasTranscript) await showOutput(said, follow);
    else if (options.raw === true) await showRaw(transcript, { follow });
    else if (options.json === true) await streamEntries(transcript, about, { follow });
    else await showTranscript(transcript, `${output}.stderr`, { follow });
    return { code: exitCodes.completed, json: undefined, text: '' };
  } finally {
    ledger.close();
  }
}

interface Subject {
  readonly run: RunId;
  readonly id: string;
  readonly wave: number;
  readonly delegation: DelegationId;
  readonly attempt: number;
  readonly isActive: () => boolean;
}

/** A task of a run, or a trial, which has no run. */
async function subjectOf(project: string, ledger: LedgerReader, address: string): Promise<Subject> {
  const trial = await findTrial(project, ledger, address);
  if (trial !== undefined) {
    const isActive = (): boolean => livingHolder(ledger, trial.run) !== null;
    return { ...trial, id: trialTask, wave: 1, attempt: 1, isActive };
  }
  const found = findRunTask(ledger, address);
  const { run } = found.row;
  const { delegation, attempt } = newestDelegation(ledger, found);
  const isActive = (): boolean => livingHolder(ledger, run) !== null && foldRun(ledger, run).active.has(delegation);
  return { run, id: found.task.planned.id, wave: found.task.wave, delegation, attempt, isActive };
}

/** Waits for the first output of the agent, then tells whether it has a transcript. */
async function begins(transcript: string, said: readonly string[], follow: () => boolean): Promise<boolean> {
  for (;;) {
    const more = follow();
    if ((await transcriptFiles(transcript)).length > 0) return true;
    const sizes = await Promise.all(said.map(sizeOf));
    if (!more || sizes.some((size) => (size ?? 0) > 0)) return false;
    await sleep(300);
  }
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
