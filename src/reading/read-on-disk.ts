/** Reads a return under its contract, including the report it points at, and checks the files it names on disk. */
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
}

export interface ReadOnDisk {
  /** The text that was read: the return, or the report it points at. */
  readonly text: string;
  readonly reading: Reading;
}

function pointedAt(reading: Reading): string | undefined {
  if (reading.ok || !reading.violations.some(({ code }) => code === 'report-not-read')) return undefined;
  return reading.salvaged.result.artifacts?.[0]?.path;
}

export async function readOnDisk(options: OnDiskOptions): Promise<ReadOnDisk> {
  const { contract, text, root, expected, reportPath } = options;
  const reading: Reading = read(contract, text, expected);
  const path = pointedAt(reading);
  const report = path === undefined ? undefined : await readInside(root, reportPath ?? path);
  if (report === undefined) return { text, reading: await withDisk(root, text, reading) };
  return { text: report, reading: await withDisk(root, report, read(contract, report, expected)) };
}

async function withDisk(root: string, text: string, reading: Reading): Promise<Reading> {
  if (!reading.ok) return reading;
  const violations = await checkPathsOnDisk(root, reading.result);
  if (violations.length === 0) return reading;
  return { ok: false, violations, salvaged: { result: reading.result, ...endsOf(text) } };
}
