/** The command as the package has it, in a folder of its own. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../tests/support/repository.ts';

/** Bundles it below `root`; returns the file for Node. */
export function installCommand(root: string): string {
  const dist = join(root, 'package/dist');
  mkdirSync(dist, { recursive: true });
  execFileSync(process.execPath, [join(repository, 'tools/bundle.ts'), dist]);
  copyFileSync(join(repository, 'package.json'), join(root, 'package/package.json'));
  // It has no types to remove.
  copyFileSync(join(repository, 'src/divisi.cts'), join(dist, 'divisi.cjs'));
  return join(dist, 'divisi.cjs');
}
