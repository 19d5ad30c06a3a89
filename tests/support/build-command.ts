/**
 * The command of the sources as they are now, in a few files instead of hundreds: a start takes a third of the time. Built
 * once before all tests, the same code with the same lazy parts; `.ci/run` runs the sources and the package themselves.
 */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { repository } from './repository.ts';

export default async function buildCommand(): Promise<() => void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'divisi-command-')));
  cpSync(join(repository, 'package.json'), join(folder, 'package.json'));
  await build({
    root: repository,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'src/cli/main.ts',
      outDir: join(folder, 'dist/cli'),
      emptyOutDir: true,
      target: 'node22',
      minify: false,
      // As far from package.json as the sources are.
      rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
    },
  });
  process.env['DIVISI_TEST_COMMAND'] = folder;
  // State and rooms of the projects of all tests, with no package.json above them.
  const places = realpathSync(mkdtempSync(join(tmpdir(), 'divisi-places-')));
  process.env['DIVISI_STATE'] = join(places, 'state');
  process.env['DIVISI_ROOMS'] = join(places, 'rooms');
  // Workers of tests leave traces in their projects and look up where these are. tests/hostile has a user without such rights.
  const confine = `confine: { writable: [${realpathSync(tmpdir())}], visible: [${join(places, 'state')}] }\n`;
  process.env['XDG_CONFIG_HOME'] = join(places, 'config');
  for (const [name, text] of [
    ['config', confine],
    ['unconfined', 'confine: { mode: off }\n'],
  ] as const) {
    mkdirSync(join(places, name, 'divisi'), { recursive: true });
    writeFileSync(join(places, name, 'divisi/config.yaml'), text);
  }
  return () => [folder, places].forEach((one) => rmSync(one, { recursive: true, force: true }));
}
