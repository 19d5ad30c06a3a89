/** Loads the contracts of a project: the built-in ones and those in `.divisi/contracts/`. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, divisiError } from '../base/error.ts';
import { readOwnContract } from '../contracts/own/own-contract.ts';
import { type Contracts, contractsByName } from '../contracts/registry.ts';
import { isMissing } from './project-path.ts';

async function contractFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => /\.ya?ml$/.test(name)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function contractText(project: string, file: string): Promise<string> {
  try {
    return await readFile(join(project, file), 'utf8');
  } catch (cause) {
    throw divisiError('CONTRACT_FILE_INVALID', {
      message: `${file}: cannot be read: ${messageOf(cause)}`,
      next: 'Make it a readable file, or remove it.',
      ids: { file },
      cause,
    });
  }
}

function twice(name: string, file: string, twin: string): Error {
  return divisiError('CONTRACT_FILE_INVALID', {
    message: `${file}: the contract ${name} is already defined in ${twin}`,
    next: 'Rename one of the two.',
    ids: { file, contract: name },
  });
}

export async function loadContracts(project: string): Promise<Contracts> {
  const folder = join('.divisi', 'contracts');
  const own = [];
  const files = new Map<string, string>();
  for (const name of await contractFiles(join(project, folder))) {
    const file = join(folder, name);
    const contract = readOwnContract(await contractText(project, file), file);
    const twin = files.get(contract.name);
    if (twin !== undefined) throw twice(contract.name, file, twin);
    files.set(contract.name, file);
    own.push(contract);
  }
  return contractsByName(own);
}
