/** The user's own config decides about the machine: one that others may have written is refused, and no project replaces it. */
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitProject } from '../support/committed-project.ts';
import { type Run, divisi } from '../support/divisi.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

function ofUser(): { readonly cwd: string; readonly file: string; readonly status: () => Promise<Run> } {
  const cwd = gitProject(folder);
  const home = folder();
  const file = join(home, 'divisi/config.yaml');
  mkdirSync(join(home, 'divisi'), { mode: 0o700 });
  writeFileSync(file, `workspace: { folder: ${join(home, 'rooms')} }\n`, { mode: 0o600 });
  const variables = { XDG_CONFIG_HOME: home };
  return { cwd, file, status: () => divisi(['clean', '--dry-run'], { cwd, variables }) };
}

const refused = { code: 2, stderr: expect.stringMatching(/must be yours[^]*CONFIG_INVALID/) as string };

it('is refused where others can write to it or to its folder', async () => {
  const { file, status } = ofUser();
  expect(await status()).toMatchObject({ code: 0 });
  chmodSync(file, 0o666);
  expect(await status()).toMatchObject(refused);
  chmodSync(file, 0o600);
  chmodSync(join(file, '..'), 0o777);
  expect(await status()).toMatchObject(refused);
});

it.runIf(process.getuid?.() === 0)('is refused where it belongs to another user', async () => {
  const { file, status } = ofUser();
  chownSync(file, 12_345, 12_345);
  expect(await status()).toMatchObject(refused);
});

it('is refused at once where it is no file', async () => {
  const { file, status } = ofUser();
  rmSync(file);
  symlinkSync('/dev/zero', file);
  expect((await status()).stderr).toContain('CONFIG_INVALID');
});
