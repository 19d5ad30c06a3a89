/** The plugin as it would be submitted to the client's plugin directory: the real program finds nothing to say about it. */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from '../support/repository.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { placeIn, surroundings } from './conversation/place.ts';
import { programPath } from './programs.ts';

const temporary = temporaryFolders();

it('claude plugin validate has no error, no warning and no advice about the plugin alone', () => {
  const root = temporary();
  const place = placeIn(root);
  // On its own: the README of the repository does not count for it.
  const plugin = join(root, 'submitted');
  cpSync(join(repository, 'plugin'), plugin, { recursive: true });
  const { status, stdout } = spawnSync(
    programPath('claude'),
    ['plugin', 'validate', '--strict', '--profile', 'directory', '--json', plugin],
    { cwd: place.project, env: surroundings(place, 'http://127.0.0.1:9', [], {}), encoding: 'utf8' },
  );
  const said = JSON.parse(stdout) as { manifest: object; contents: unknown; advice: unknown; directory: object };
  expect(said).toMatchObject({
    success: true,
    manifest: { errors: [], warnings: [] },
    contents: [],
    advice: [],
    directory: { profile: 'directory', findings: [], undecided: [], incomplete: false },
  });
  expect(status).toBe(0);
});
