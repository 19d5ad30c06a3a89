/** Reads a return under its contract, including the report it points at, and checks the files it names on disk. */
import { realpath } from 'node:fs/promises';
import { isRefusal } from '../base/error.ts';
import type { Contract } from '../contracts/contract.ts';
import { read, type ReadOptions } from '../contracts/read/read.ts';
import type { ViolationCode } from '../contracts/finding.ts';
import type { Reading } from '../contracts/result.ts';
import { endsOf } from '../contracts/read/salvage.ts';
import { readInside } from '../workspace/project-path.ts';
import { checkPathsOnDisk } from './paths-on-disk.ts';

export interface OnDiskOptions {
  readonly contract: Contract;
  readonly text: string;
  /** The folder that paths are relative to; no path is followed out of it. */
  readonly root: string;
  readonly expected: ReadOptions;
  /** The assigned report path. The report is read from here, whatever path the return gives. */
  readonly reportPath?: string;
  /** The agent did not end by itself: its report counts only if its message points at it. */
  readonly interrupted?: boolean;
}

export interface ReadOnDisk {
  /** The text that was read: the return, or the report it points at. */
  readonly text: string;
  readonly reading: Reading;
}

function has(reading: Reading, wanted: ViolationCode): boolean {
  return !reading.ok && reading.violations.some(({ code }) => code === wanted);
}

const pointsAtReport = (reading: Reading): boolean => has(reading, 'report-not-read');

/** True for prose and for no text at all: nothing in it reads as a return in any wire format. */
export const hasNoReturn = (reading: Reading): boolean => has(reading, 'no-return');

/** True when the text is a return of its own, however faulty, and not only the name of a report, or prose. */
export function isReturn(reading: Reading): boolean {
  return !hasNoReturn(reading) && !pointsAtReport(reading);
}

/**
 * The report to read in place of the message: the assigned one, or without an assigned path the one that the message points
 * at. Any return but a report is itself the result where it is valid, and the file of a line is never read as one.
 */
async function reportFor(options: OnDiskOptions, said: Reading): Promise<string | undefined> {
  const { contract, root, reportPath, interrupted = false } = options;
  if (said.ok && contract.wireFormat !== 'report') return undefined;
  const points = pointsAtReport(said);
  const path = reportPath ?? (points && !said.ok ? said.salvaged.result.artifacts?.[0]?.path : undefined);
  if (path === undefined || (!points && (interrupted || contract.wireFormat === 'line'))) return undefined;
  try {
    return await readInside(root, path);
  } catch (error) {
    // The message counts; a report that cannot be kept is marked as such.
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

export async function readOnDisk(options: OnDiskOptions): Promise<ReadOnDisk> {
  const { contract, text, root } = options;
  const expected = { ...options.expected, folders: [root, await realpath(root).catch(() => root)] };
  const said = await withDisk(options, text, read(contract, text, expected));
  const report = await reportFor(options, said);
  if (report === undefined) return { text, reading: said };
  const written = await withDisk(options, report, read(contract, report, expected));
  // Of two that are refused, the message is the later one. A file that is not a report says less than any message.
  const isLater = isReturn(said) || (!pointsAtReport(said) && !isReturn(written));
  if (!written.ok && isLater) return { text, reading: said };
  return { text: report, reading: withPointer(said, written) };
}

/** Adds the deviation that only the message has: the absolute path of its report. */
function withPointer(said: Reading, written: Reading): Reading {
  if (said.ok || !written.ok) return written;
  const { deviations = [] } = said.salvaged.result;
  const absolute = deviations.filter(({ code }) => code === 'path-absolute');
  return { ok: true, result: { ...written.result, deviations: [...absolute, ...written.result.deviations] } };
}

async function withDisk({ contract, root }: OnDiskOptions, text: string, reading: Reading): Promise<Reading> {
  if (!reading.ok) return reading;
  const violations = await checkPathsOnDisk(root, reading.result, contract);
  if (violations.length === 0) return reading;
  return { ok: false, violations, salvaged: { result: reading.result, ...endsOf(text) } };
}
