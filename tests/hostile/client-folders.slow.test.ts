/** What an agent writes to its client's own folder, for each client: nothing that the user's next conversation obeys. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { confineClient } from '../../src/drivers/client-mounts.ts';
import { profiles } from '../../src/drivers/profiles/profiles.ts';
import { spawnMarked } from '../../src/process/spawn-marked.ts';
import { canConfine } from '../support/can-confine.ts';
import { confinedRoom } from '../support/confined-room.ts';
import { makeRepository } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

/** Runs `sh` as this client, or without confinement. */
async function asClient(
  client: (typeof profiles)[number],
  script: string,
  isConfined: boolean,
  prepare: (home: string) => void,
) {
  const root = folder({ 'project/a.txt': 'a', 'room/a.txt': 'a' });
  const [home, project, room] = [join(root, 'home'), join(root, 'project'), join(root, 'room')];
  mkdirSync(home);
  prepare(home);
  makeRepository(project);
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home };
  const confinement = await confinedRoom({ room, project, own: join(root, 'divisi'), environment });
  if (confinement === undefined) throw new Error('agents cannot be confined here');
  const { name, folders } = client;
  const given = confineClient(confinement, { name, folders, environment, hasOwnHome: false });
  const output = join(root, 'out.txt');
  const marker = { run: `run_client_${process.pid}`, delegation: `sess_${name}` };
  const spec = { argv: ['sh', '-c', script], directory: room, environment, marker, stdout: output, stderr: output };
  const child = spawnMarked({ ...spec, ...(isConfined ? { confinement: given } : {}) });
  const end = await child.ended;
  return { home, end, said: readFileSync(output, 'utf8') };
}

describe.skipIf(!canConfine).each(profiles.map((profile) => [profile.name, profile] as const))('%s', (_, profile) => {
  const obeyed = profile.folders.flatMap(({ folder: at, obeyed: names }) => names.map((name) => join(at, name)));
  const files = obeyed.map((path) => (path.endsWith('/') ? `${path}planted` : path));
  const plant = files.map((path) => `mkdir -p "$HOME/${dirname(path)}"; echo planted >> "$HOME/${path}"`).join('\n');
  const planted = (home: string): string[] =>
    files.filter((path) => existsSync(join(home, path)) && readFileSync(join(home, path), 'utf8').includes('planted'));

  it.each([
    ['confined', true],
    ['unconfined', false],
  ] as const)('%s: plants what it obeys, where nothing was and where something was', async (__, isConfined) => {
    const empty = await asClient(profile, `(${plant}) 2>/dev/null; exit 0`, isConfined, () => undefined);
    const full = await asClient(profile, `(${plant}) 2>/dev/null; exit 0`, isConfined, (home) => {
      for (const path of obeyed.filter((one) => !one.endsWith('/'))) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), 'mine\n');
      }
    });
    expect([empty.end, full.end]).toEqual([
      { kind: 'exit', code: 0 },
      { kind: 'exit', code: 0 },
    ]);
    expect([planted(empty.home), planted(full.home)]).toEqual(isConfined ? [[], []] : [files, files]);
  });

  it('reads what the user has there, and renews its log-in', async () => {
    const logIns = profile.folders.flatMap(({ folder: at, logIn }) => logIn.map((name) => join(at, name)));
    const read = obeyed.filter((path) => !path.endsWith('/'));
    const script = `for file in ${read.map((path) => `"$HOME/${path}"`).join(' ')}; do cat "$file"; done
      ${logIns.map((path) => `echo new > "$HOME/${path}"`).join('\n')}`;
    const { home, said } = await asClient(profile, script, true, (at) => {
      for (const path of [...read, ...logIns]) {
        mkdirSync(dirname(join(at, path)), { recursive: true });
        writeFileSync(join(at, path), 'mine\n');
      }
    });
    expect(said).toBe('mine\n'.repeat(read.length));
    expect(logIns.map((path) => readFileSync(join(home, path), 'utf8'))).toEqual(logIns.map(() => 'new\n'));
  });
});
