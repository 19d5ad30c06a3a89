/** Builds the packaged command `divisi` from the current sources, in a private folder. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../tests/support/repository.ts';

/** Gives the path of the command. */
export function buildPackage(folder: string): string {
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  copyFileSync(join(repository, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const [tsc, bundle] = ['node_modules/typescript/bin/tsc', 'tools/bundle.ts'];
  node(tsc, '-p', 'tsconfig.build.json', '--outDir', dist);
  node(bundle, dist);
  const command = join(dist, 'divisi.cjs');
  // As npm does it.
  chmodSync(command, 0o755);
  return command;
}

function node(...words: string[]): void {
  execFileSync(process.execPath, words, { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] });
}
