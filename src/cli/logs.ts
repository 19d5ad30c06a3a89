/** What the agent of a task said, as it said it: its newest delegation, followed while it runs. */
import { constants, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tuttiError } from '../contracts/error.ts';
import type { DelegationId } from '../contracts/ids.ts';
import type { Amendment } from '../core/amendment.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import { readLedger } from '../runtime.ts';
import { filesOf } from '../scheduler/delegation-files.ts';
import { foldRun } from '../scheduler/fold-run.ts';
import { livingHolder } from '../scheduler/with-lease.ts';
import { terminalText } from '../views/escape.ts';
import { isMissing } from '../workspace/project-path.ts';
import { findTask, type FoundTask } from './find-run.ts';
import { type Answer, exitCodes } from './output.ts';

export interface LogsOptions {
  readonly json?: boolean;
  readonly follow?: boolean;
}

function newestDelegation(ledger: LedgerReader, { row, task }: FoundTask): DelegationId {
  /** By the names that tasks have by then. */
  const delegations = new Map<string, DelegationId>();
  for (const event of ledger.read(row.run)) {
    if (event.kind === 'delegation.registered') delegations.set(event.task, event.delegation);
    if (event.kind === 'plan.amended') for (const amendment of event.amendments) rename(delegations, amendment);
  }
  const newest = delegations.get(task.planned.id);
  if (newest !== undefined) return newest;
  throw tuttiError('TASK_UNKNOWN', {
    message: `task ${task.planned.id} has not been delegated yet (it is ${task.progress.status})`,
    next: `\`tutti status ${row.run}\` shows what it waits for.`,
    ids: { run: row.run, task: task.planned.id },
  });
}

function rename(delegations: Map<string, DelegationId>, amendment: Amendment): void {
  if (amendment.kind === 'remove') delegations.delete(amendment.task);
  if (amendment.kind !== 'rename') return;
  const delegation = delegations.get(amendment.from);
  delegations.delete(amendment.from);
  if (delegation !== undefined) delegations.set(amendment.to, delegation);
}

/** In pieces of at most a megabyte, from where the last one ended. */
async function* growth(file: string, from: number): AsyncGenerator<Buffer> {
  let handle;
  try {
    // A worker may have put a link there, or a pipe: neither is followed.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    if (!(await handle.stat()).isFile()) return;
    for (let at = from; ;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(1 << 20), 0, 1 << 20, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

export async function logs(project: string, address: string, options: LogsOptions): Promise<Answer> {
  const ledger = readLedger(project);
  try {
    const found = findTask(ledger, address);
    const { id } = found.task.planned;
    const delegation = newestDelegation(ledger, found);
    const { output } = filesOf(found.row.run, found.task.wave, id, delegation);
    const files = [output, `${output}.repair-1`, `${output}.repair-2`, `${output}.stderr`];
    if (options.json === true) {
      const sizes = await Promise.all(files.map(async (file) => ({ file, bytes: await sizeOf(join(project, file)) })));
      const json = { run: found.row.run, task: id, delegation, files: sizes.filter(({ bytes }) => bytes !== null) };
      return { code: exitCodes.completed, json, text: '' };
    }
    const shown = new Map<string, number>();
    // A character may be cut in two by where a piece ends.
    const decoders = new Map(files.map((file) => [file, new TextDecoder()]));
    const show = async (): Promise<void> => {
      for (const file of files) {
        for await (const piece of growth(join(project, file), shown.get(file) ?? 0)) {
          shown.set(file, (shown.get(file) ?? 0) + piece.length);
          process.stdout.write(terminalText(decoders.get(file)?.decode(piece, { stream: true }) ?? ''));
        }
      }
    };
    await show();
    const isActive = (): boolean =>
      livingHolder(ledger, found.row.run) !== null && foldRun(ledger, found.row.run).active.has(delegation);
    while (options.follow === true && isActive()) {
      await sleep(500);
      await show();
    }
    return { code: exitCodes.completed, json: undefined, text: '' };
  } finally {
    ledger.close();
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
