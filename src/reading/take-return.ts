/** Reads an agent's return, whichever way it came, under its contract, and keeps it as the report for people. */
import { defined } from '../base/defined.ts';
import type { Contract } from '../contracts/contract.ts';
import { print } from '../contracts/write/print.ts';
import type { DelegationId } from '../base/ids.ts';
import type { Reading, Result } from '../contracts/result.ts';
import type { ReturnCheck } from '../core/attempt/return-check.ts';
import { readInside } from '../workspace/project-path.ts';
import { asJson, type ReturnWay } from '../contracts/return-way.ts';
import { withWrittenReport } from './written-report.ts';
import { isReturn, type ReadOnDisk, readOnDisk } from './read-on-disk.ts';
import { keepReport } from './keep-report.ts';
import type { ReturnAccount } from './outcome.ts';

/** The delegation that returned, the folder it worked in, and its assigned report path. */
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
  /** How the agent was asked to return; absent when unknown. */
  readonly by?: ReturnWay;
  readonly task: Returning;
  /** Checks of the run beyond the contract. */
  readonly check?: ReturnCheck | undefined;
  /** The assigned path of the document that the run records, if it records one. */
  readonly keeps?: string | undefined;
  /** The required path of the document, relative to the project. */
  readonly document?: string | undefined;
  /** The agent was stopped before it ended by itself. */
  readonly interrupted?: boolean;
}

/** One return of a conversation, as it was read. */
export type Collected = ReadOnDisk & { readonly document?: string };

/** The one worth more: accepted before refused before prose; the later of two returns, the longer of two texts. */
export function richer(before: Collected | undefined, now: Collected): Collected {
  if (before === undefined || now.reading.ok) return now;
  if (isReturn(now.reading)) return now;
  return isReturn(before.reading) || before.text.length > now.text.length ? before : now;
}

/**
 * Validates the return against its contract, then against the checks of the run. A document that the run records is
 * read even when the return is not valid.
 */
export async function readReturn(reader: Reader, text: string): Promise<Collected> {
  const { reading, text: read } = await readByContract(reader, text);
  if (reader.check === undefined || (!reading.ok && reader.keeps === undefined)) return { reading, text: read };
  const document = await documentOf(reader, reading.ok ? reading.result : reading.salvaged.result);
  const kept = reader.keeps === undefined || document === undefined ? { text: read } : { text: read, document };
  const violations = reading.ok ? reader.check(reading.result, document) : [];
  if (!reading.ok || violations.length === 0) return { ...kept, reading };
  return { ...kept, reading: { ok: false, violations, salvaged: { result: reading.result, head: text, tail: '' } } };
}

/**
 * Reads the document from its required path; otherwise from its assigned path, the report path or the path the return
 * names.
 */
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
 * Reads one JSON object as JSON unless the agent was asked for a message; any other text in any known format. If no
 * return is found, the violations describe the format that was asked for.
 */
async function readByContract(reader: Reader, given: string): Promise<ReadOnDisk> {
  const { contract, by, task, interrupted = false } = reader;
  const expected = { delegationId: task.delegation, runId: task.run, taskId: task.task };
  const { directory: root, reportPath } = task;
  const text = await withWrittenReport({ contract, by, text: given, expected, root, reportPath });
  if (typeof text !== 'string') return { text: given, reading: text };
  const readBy = async (form: Contract): Promise<ReadOnDisk> =>
    readOnDisk({ contract: form, text, root, expected, reportPath, interrupted });
  if (by !== 'message' && text.trimStart().startsWith('{')) return readBy(asJson(contract));
  const found = await readBy(contract);
  const isNone = !found.reading.ok && found.reading.violations.some(({ code }) => code === 'no-return');
  return isNone && by !== 'message' ? readBy(asJson(contract)) : found;
}

/** Keeps an accepted report as it was read; otherwise the file the agent wrote, or its words if it wrote none. */
export async function keepReturn(
  reader: Reader,
  { text, reading }: ReadOnDisk,
  repairs: number,
): Promise<ReturnAccount> {
  const { project, contract, by, task } = reader;
  const isReport = reading.ok && contract.wireFormat === 'report';
  const fields = by === 'message' ? undefined : reportOf(contract, reading);
  const artifacts = reading.ok ? reading.result.artifacts : [];
  const elsewhere = artifacts.find(({ type }) => type === 'report')?.path;
  const said = { text: fields ?? text, isReport, ...defined({ elsewhere }) };
  return { repairs, ...(await keepReport(project, task, said)) };
}

/** People look for the sections of a report: fields that came as JSON are printed as one. */
function reportOf(contract: Contract, reading: Reading): string | undefined {
  const isFields = contract.wireFormat === 'report' && reading.ok && reading.result.wireFormat === 'json';
  return isFields ? print(contract, reading.result) : undefined;
}
