/** What `check` and `repair` share: a return read under a contract and, given a root, looked up on disk. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Contract } from '../contracts/contract.ts';
import { tuttiError } from '../contracts/error.ts';
import { read } from '../contracts/read.ts';
import { findContract } from '../contracts/registry.ts';
import type { Reading } from '../contracts/result.ts';
import { endsOf } from '../contracts/salvage.ts';
import { checkPathsOnDisk } from '../verify/paths-on-disk.ts';
import { findProject, loadContracts } from '../workspace/own-contracts.ts';
import { readInside } from '../workspace/project-path.ts';
import { readInput } from './input.ts';

export interface ReturnOptions {
  readonly root?: string;
  readonly session?: string;
}

export interface ReadReturn {
  readonly contract: Contract;
  readonly text: string;
  readonly reading: Reading;
}

async function checkRoot(root: string): Promise<void> {
  if (
    await stat(root).then(
      (facts) => facts.isDirectory(),
      () => false,
    )
  )
    return;
  throw tuttiError('USAGE', {
    message: `--root ${root} is not a folder that can be read`,
    expected: 'the folder of the project',
    got: root,
    next: 'Name the folder the paths in the return are relative to.',
  });
}

/** A return that only points at its report is followed to it, inside the root and nowhere else. */
async function reportText(root: string, reading: Reading): Promise<string | undefined> {
  if (reading.ok || !reading.violations.some(({ code }) => code === 'report-not-read')) return undefined;
  const path = reading.salvaged.result.artifacts?.[0]?.path;
  return path === undefined ? undefined : readInside(root, path);
}

export async function readReturn(
  project: string,
  name: string,
  file: string,
  options: ReturnOptions,
): Promise<ReadReturn> {
  const { root, session } = options;
  if (root !== undefined) await checkRoot(root);
  const contract = findContract(
    await loadContracts(root === undefined ? project : await findProject(resolve(root))),
    name,
  );
  const expected = session === undefined ? {} : { delegationId: session };
  let text = await readInput(file);
  let reading: Reading = read(contract, text, expected);
  if (root === undefined) return { contract, text, reading };
  const report = await reportText(root, reading);
  if (report !== undefined) {
    text = report;
    reading = read(contract, report, expected);
  }
  return { contract, text, reading: await checkOnDisk(root, text, reading) };
}

async function checkOnDisk(root: string, text: string, reading: Reading): Promise<Reading> {
  if (!reading.ok) return reading;
  const violations = await checkPathsOnDisk(root, reading.result);
  if (violations.length === 0) return reading;
  return { ok: false, violations, salvaged: { result: reading.result, ...endsOf(text) } };
}
