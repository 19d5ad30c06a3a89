/** Commands that run in a room before it is removed. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimRoom } from '../../src/workspace/git/room/room-claims.ts';
import { listRooms, removeRoom, setRoomAside } from '../../src/workspace/git/room/remove-room.ts';
import { noteTearDown } from '../../src/workspace/git/room/tear-down.ts';
import { gitFolders, run, type Workspace, workspaceOn } from './git-project.ts';

const { repository } = gitFolders();

interface Torn {
  readonly work: Workspace;
  readonly folder: string;
  readonly project: string;
  readonly trace: () => string[];
}

/** The config of a user whose commands leave traces outside of rooms. */
const mayWrite = { XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] };

/** The commands run as `sh -c`, with `$TRACE` to write to. */
async function roomWith(scripts: readonly string[], timeout = 60): Promise<Torn> {
  const user = repository();
  const trace = join(user.environment['HOME'] ?? '', 'trace');
  const work = await workspaceOn({
    ...user,
    environment: { ...user.environment, ...mayWrite, TRACE: trace, HIDDEN: 'x' },
  });
  const { folder } = await work.open('1');
  await noteTearDown(work.repository, folder, {
    run,
    prefix: '',
    commands: scripts.map((script) => ['sh', '-c', script]),
    environment: ['TRACE'],
    timeout,
    output: join(user.folder, '.divisi/runs', run, 'checks/1'),
  });
  const lines = (): string[] => (existsSync(trace) ? readFileSync(trace, 'utf8').trimEnd().split('\n') : []);
  return { work, folder, project: user.folder, trace: lines };
}

describe('teardown', () => {
  it('runs in the room, in order, with its slug and ports, once', async () => {
    const say = 'echo "$PWD $DIVISI_SLUG $DIVISI_PORT_WEB $CI $HIDDEN" >> "$TRACE"; ls a.txt >> "$TRACE"';
    const { work, folder, trace } = await roomWith([say, 'echo second >> "$TRACE"']);
    const { DIVISI_SLUG: slug, DIVISI_PORT_WEB: port } = await claimRoom(work.repository, folder, ['web']);
    await removeRoom(work.repository, { folder });
    expect(trace()).toEqual([`${folder} ${slug} ${port} 1 `, 'a.txt', 'second']);
    expect(await listRooms(work.repository)).toEqual([]);
    await removeRoom(work.repository, { folder });
    expect(trace()).toHaveLength(3);
  });

  it('whose output has no place is reported, and the room is removed', async () => {
    const { work, folder, project } = await roomWith(['true']);
    writeFileSync(join(project, '.divisi'), 'in the way');
    const warnings: string[] = [];
    await removeRoom(work.repository, { folder, warn: (error) => warnings.push(error.message) });
    expect(warnings).toEqual([expect.stringMatching(/ENOTDIR|EEXIST/)]);
    expect(existsSync(folder)).toBe(false);
  });

  it('that fails or does not end is reported, and neither stops the next command nor the removal', async () => {
    const scripts = ['echo no luck; exit 3', 'sleep 600', 'echo last >> "$TRACE"'];
    const { work, folder, project, trace } = await roomWith(scripts, 0.3);
    const warnings: string[] = [];
    await removeRoom(work.repository, { folder, warn: (error) => warnings.push(error.message) });
    expect(warnings).toEqual([
      `the teardown command sh -c 'echo no luck; exit 3' failed in ${folder} (exit code 3): no luck`,
      `the teardown command sh -c 'sleep 600' failed in ${folder} (timed out after 0.3 s)`,
    ]);
    expect(trace()).toEqual(['last']);
    expect(existsSync(folder)).toBe(false);
    expect(readFileSync(join(project, '.divisi/runs', run, 'checks/1/teardown-1.txt'), 'utf8')).toBe('no luck\n');
  });

  it('runs before a room is made again, and before it is set aside', async () => {
    const first = await roomWith(['echo again >> "$TRACE"']);
    await first.work.open('1', { attempt: 2 });
    expect(first.trace()).toEqual(['again']);
    const other = await roomWith(['pwd >> "$TRACE"']);
    await setRoomAside(other.work.repository, { folder: other.folder, branch: 'divisi-task/x/1-1' });
    expect(other.trace()).toEqual([other.folder]);
  });

  it('does not run where an agent replaced the room with a symlink, or it is gone', async () => {
    const linked = await roomWith(['touch pwned; echo ran >> "$TRACE"']);
    rmSync(linked.folder, { recursive: true });
    symlinkSync(linked.project, linked.folder);
    await removeRoom(linked.work.repository, { folder: linked.folder });
    expect(linked.trace()).toEqual([]);
    expect(existsSync(join(linked.project, 'pwned'))).toBe(false);
    const gone = await roomWith(['echo ran >> "$TRACE"']);
    rmSync(gone.folder, { recursive: true });
    await removeRoom(gone.work.repository, { folder: gone.folder });
    expect(gone.trace()).toEqual([]);
  });
});
