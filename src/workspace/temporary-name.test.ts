import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { writeAtomically } from './atomic-file.ts';
import { isTemporaryOf, temporaryFor } from './temporary-name.ts';

const folder = temporaryFolders();

/** A file that a process leaves which is killed before it renames it. */
function leftIn(at: string): string {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { temporaryFor } from ${JSON.stringify(join(import.meta.dirname, 'temporary-name.ts'))};
    const name = temporaryFor(${JSON.stringify(join(at, 'TODO.md'))});
    writeFileSync(name, 'half');
    console.log(name);
    process.kill(process.pid, 'SIGKILL');
    setInterval(() => {}, 1000);`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(signal).toBe('SIGKILL');
  return basename(stdout.trim());
}

it('what a killed process has left is swept by the next write in the folder; nothing else is', async () => {
  const at = folder();
  const left = leftIn(at);
  expect(readdirSync(at)).toEqual([left]);
  const mine = basename(temporaryFor(join(at, 'plan.md')));
  const elsewhere = mine.replace(/\.([0-9a-f]{4})-/, (_, host: string) => `.${host === '0000' ? '1111' : '0000'}-`);
  const others = [mine, elsewhere.replace(/-\d+-/, '-4194305-'), '.TODO.md.0123456789ab.tmp', '.x.tmp', 'notes.tmp'];
  for (const name of others) writeFileSync(join(at, name), '');
  await writeAtomically(join(at, 'state.json'), '{}');
  expect(readdirSync(at).toSorted()).toEqual([...others, 'state.json'].toSorted());
});

it('a temporary file is known by its target', () => {
  const name = temporaryFor('/a/TODO.md');
  expect([isTemporaryOf(name, '/a/TODO.md'), isTemporaryOf(name, '/b/TODO.md'), isTemporaryOf(name, '/a/x')]).toEqual([
    true,
    false,
    false,
  ]);
});
