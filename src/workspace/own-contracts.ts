/** Loads the contracts of a project: the built-in ones and those in `.divisi/contracts/`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, divisiError } from '../base/error.ts';
import { readOwnContract } from '../contracts/own/own-contract.ts';
import { type Contracts, contractsByName } from '../contracts/registry.ts';
import { type OwnText, readOwnText } from './own-text.ts';
import { isMissing } from './project-path.ts';

const mostBytes = 256 * 1024;

async function contractFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => /\.ya?ml$/.test(name)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function contractText(project: string, file: string): string {
  let read: OwnText;
  try {
    read = readOwnText(project, file, mostBytes);
  } catch (cause) {
    throw unreadable(file, messageOf(cause), cause);
  }
  if ('text' in read) return read.text;
  if (read.fault !== 'it is not UTF-8 text') throw unreadable(file, read.fault);
  throw divisiError('CONTRACT_FILE_INVALID', {
    message: `${file}:1: ${read.fault}`,
    next: 'Save it as UTF-8 text, or remove it.',
    ids: { file, line: 1 },
  });
}

function unreadable(file: string, why: string, cause?: unknown): Error {
  return divisiError('CONTRACT_FILE_INVALID', {
    message: `${file}: cannot be read: ${why}`,
    next: 'Make it a readable file of the project of at most 256 KiB, or remove it.',
    ids: { file },
    cause,
  });
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
    const contract = readOwnContract(contractText(project, file), file);
    const twin = files.get(contract.name);
    if (twin !== undefined) throw twice(contract.name, file, twin);
    files.set(contract.name, file);
    own.push(contract);
  }
  return contractsByName(own);
}
