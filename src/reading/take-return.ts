/** What an agent returned, by whatever way: read under its contract, and kept for people as its report. */
import { defined } from '../base/defined.ts';
import type { Contract } from '../contracts/contract.ts';
import { print } from '../contracts/write/print.ts';
import type { DelegationId } from '../base/ids.ts';
import type { Reading, Result } from '../contracts/result.ts';
import type { ReturnCheck } from '../core/attempt/return-check.ts';
import { readInside } from '../workspace/project-path.ts';
import { asJson, type ReturnWay } from '../contracts/return-way.ts';
import { type ReadOnDisk, readOnDisk } from './read-on-disk.ts';
import { keepReport } from './keep-report.ts';
import type { Account } from './outcome.ts';

/** Who returned, where it worked, and where its account was to be. */
export interface Returning {
  readonly run: string;
  readonly delegation: DelegationId;
  readonly task: string;
  /** Absolute. */
  readonly directory: string;
  readonly reportPath: string;
}

export interface Reader {
  /** Absolute. */
  readonly project: string;
  readonly contract: Contract;
  /** The way by which it was asked to return; absent where nobody knows that any more. */
  readonly by?: ReturnWay;
  readonly task: Returning;
  /** What its run asks for besides the contract. */
  readonly check?: ReturnCheck | undefined;
  /** Where the document was to be that the return is about, if the run remembers it. */
  readonly keeps?: string | undefined;
  /** Where that has to be, relative to the project. */
  readonly document?: string | undefined;
}

/** By its contract first; then by what its run asks for, if it holds. A document that is kept is there whether the return holds or not. */
export async function readReturn(reader: Reader, text: string): Promise<ReadOnDisk & { readonly document?: string }> {
  const { reading, text: read } = await readByContract(reader, text);
  if (reader.check === undefined || (!reading.ok && reader.keeps === undefined)) return { reading, text: read };
  const document = await documentOf(reader, reading.ok ? reading.result : reading.salvaged.result);
  const kept = reader.keeps === undefined || document === undefined ? { text: read } : { text: read, document };
  const violations = reading.ok ? reader.check(reading.result, document) : [];
  if (!reading.ok || violations.length === 0) return { ...kept, reading };
  return { ...kept, reading: { ok: false, violations, salvaged: { result: reading.result, head: text, tail: '' } } };
}

/** What was asked for by its path; else where it was to be, or where the return says that it is. One that is kept has a place of its own, beside the report. */
async function documentOf(
  { task, keeps, document }: Reader,
  { artifacts = [] }: Partial<Result>,
): Promise<string | undefined> {
  const { directory, reportPath } = task;
  if (document !== undefined) return readInside(directory, document);
  const named = artifacts.slice(0, 1).map(({ path }) => path);
  for (const path of keeps === undefined ? [reportPath, ...named] : [...named, keeps, reportPath]) {
    const text = await readInside(directory, path);
    if (text !== undefined) return text;
  }
  return undefined;
}

/**
 * Who was asked for one JSON object and gives one is read by that; whatever else is said, in any form. Where there is none,
 * what is missing is what was asked for.
 */
async function readByContract({ contract, by, task }: Reader, text: string): Promise<ReadOnDisk> {
  const expected = { delegationId: task.delegation, runId: task.run, taskId: task.task };
  const { directory: root, reportPath } = task;
  const readBy = async (form: Contract): Promise<ReadOnDisk> =>
    readOnDisk({ contract: form, text, root, expected, reportPath });
  if (by !== 'message' && text.trimStart().startsWith('{')) return readBy(asJson(contract));
  const found = await readBy(contract);
  const isNone = !found.reading.ok && found.reading.violations.some(({ code }) => code === 'no-return');
  return isNone && by !== 'message' ? readBy(asJson(contract)) : found;
}

export async function keepReturn(reader: Reader, text: string, repairs: number, reading: Reading): Promise<Account> {
  const { project, contract, by, task } = reader;
  const fields = by === 'message' ? undefined : reportOf(contract, reading);
  const artifacts = reading.ok ? reading.result.artifacts : [];
  const elsewhere = artifacts.find(({ type }) => type === 'report')?.path;
  const said = {
    text: fields ?? text,
    isReport: isRepaired(contract, repairs) || (fields !== undefined && by !== undefined),
    ...defined({ elsewhere }),
  };
  return { repairs, ...(await keepReport(project, task, said)) };
}

/** A line only points at its report: said again, the report is still what was written. */
function isRepaired({ wireFormat }: Contract, repairs: number): boolean {
  return repairs > 0 && wireFormat !== 'line';
}

/** People read a report, and look for its sections: fields that came as JSON are written as one. */
function reportOf(contract: Contract, reading: Reading): string | undefined {
  const isFields = contract.wireFormat === 'report' && reading.ok && reading.result.wireFormat === 'json';
  return isFields ? print(contract, reading.result) : undefined;
}
