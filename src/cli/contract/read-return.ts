/** Reads a return under a contract, for `check` and `repair`; with a root, also checks its paths on disk. */
import { stat } from 'node:fs/promises';
import { findProject } from '../../workspace/find-project.ts';
import { resolve } from 'node:path';
import type { Contract } from '../../contracts/contract.ts';
import { divisiError } from '../../base/error.ts';
import { read } from '../../contracts/read/read.ts';
import { findContract } from '../../contracts/registry.ts';
import type { Reading } from '../../contracts/result.ts';
import { readOnDisk } from '../../reading/read-on-disk.ts';
import { loadContracts } from '../../workspace/own-contracts.ts';
import { readInput } from '../input.ts';

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
  throw divisiError('USAGE', {
    message: `--root ${root} is not a folder that can be read`,
    expected: 'the folder of the project',
    got: root,
    next: 'Name the folder the paths in the return are relative to.',
  });
}

export async function readReturnFile(
  project: string,
  name: string,
  file: string,
  options: ReturnOptions,
): Promise<ReadReturn> {
  const { root, session } = options;
  if (root !== undefined) await checkRoot(root);
  const contract = findContract(await loadContracts(root === undefined ? project : findProject(resolve(root))), name);
  const expected = session === undefined ? {} : { delegationId: session };
  const text = await readInput(file);
  if (root === undefined) return { contract, text, reading: read(contract, text, expected) };
  return { contract, ...(await readOnDisk({ contract, text, root, expected })) };
}
