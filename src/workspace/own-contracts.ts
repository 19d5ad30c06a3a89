/** The contracts of a project: the built-in ones and those in `.tutti/contracts/`. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readOwnContract } from '../contracts/own-contract.ts';
import { type Contracts, contractsByName } from '../contracts/registry.ts';
import { isMissing } from './project-path.ts';

/** The nearest folder from here upwards that has a `.tutti`, or this one. */
export async function findProject(from: string): Promise<string> {
  for (let at = from; ; at = dirname(at)) {
    try {
      if ((await stat(join(at, '.tutti'))).isDirectory()) return at;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    if (dirname(at) === at) return from;
  }
}

async function contractFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => /\.ya?ml$/.test(name)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export async function loadContracts(project: string): Promise<Contracts> {
  const folder = join('.tutti', 'contracts');
  const own = [];
  for (const name of await contractFiles(join(project, folder))) {
    own.push(readOwnContract(await readFile(join(project, folder, name), 'utf8'), join(folder, name)));
  }
  return contractsByName(own);
}
