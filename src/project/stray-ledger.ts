/** Stray ledger: a `ledger.db` inside a project, which came with it or is of an old version. It is never opened: it names commands. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../workspace/places.ts';

/** One line for people; undefined where there is none. */
export function strayLedger(project: string): string | undefined {
  const stray = join(project, '.divisi/ledger.db');
  if (!existsSync(stray)) return undefined;
  return `.divisi/ledger.db is not opened: the ledger of this project is in ${stateFolder(project)}, and no project brings its own.`;
}
