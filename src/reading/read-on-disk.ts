/** Reads a return under its contract, including the report it points at, and checks the files it names on disk. */
import { realpath } from 'node:fs/promises';
import type { Contract } from '../contracts/contract.ts';
import { read, type ReadOptions } from '../contracts/read/read.ts';
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

/** True when the text is a return of its own, however faulty, and not only the name of a report, or prose. */
export function isReturn(reading: Reading): boolean {
  return reading.ok || !reading.violations.some(({ code }) => code === 'no-return' || code === 'report-not-read');
}

/**
 * The report that stands for a message: the one it points at, or the assigned one whatever the message says. A line is a
 * return of its own, and its file only the text behind it.
 */
async function reportFor(options: OnDiskOptions, said: Reading): Promise<string | undefined> {
  const { contract, root, reportPath, interrupted = false } = options;
  if (said.ok) return undefined;
  const points = said.violations.some(({ code }) => code === 'report-not-read');
  const path = reportPath ?? (points ? said.salvaged.result.artifacts?.[0]?.path : undefined);
  if (path === undefined || (!points && (interrupted || contract.wireFormat === 'line'))) return undefined;
  return readInside(root, path);
}

export async function readOnDisk(options: OnDiskOptions): Promise<ReadOnDisk> {
  const { contract, text, root } = options;
  const expected = { ...options.expected, folders: [root, await realpath(root).catch(() => root)] };
  const said = await withDisk(options, text, read(contract, text, expected));
  const report = await reportFor(options, said);
  if (report === undefined) return { text, reading: said };
  const written = await withDisk(options, report, read(contract, report, expected));
  // Of two that are refused, the message is the later one.
  if (!written.ok && isReturn(said)) return { text, reading: said };
  return { text: report, reading: withPointer(said, written) };
}

/** Keeps the one deviation of a message that says more than how it points at its report. */
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
