/** Slugs and ports of rooms: no two rooms of a user have the same, whatever project they belong to. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimedVariables, claimRoom, releaseRoom } from '../../src/workspace/git/room/room-claims.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const newFolder = temporaryFolders();

interface Machine {
  readonly claimant: (project: string) => { readonly project: string; readonly environment: NodeJS.ProcessEnv };
  readonly room: (path: string) => string;
  readonly state: string;
}

function machine(): Machine {
  const [rooms, state] = [newFolder(), newFolder()];
  return {
    state,
    claimant: (project) => ({ project: `/home/ada/${project}`, environment: { DIVISI_STATE: state } }),
    room: (path) => {
      mkdirSync(join(rooms, path), { recursive: true });
      return join(rooms, path);
    },
  };
}

describe('a slug', () => {
  it('has the names of project and task in letters, digits and dashes, 40 at most, and is the only one', async () => {
    const { claimant, room } = machine();
    const slugs = async (project: string, path: string): Promise<string | undefined> =>
      (await claimRoom(claimant(project), room(path), []))['DIVISI_SLUG'];
    expect(await slugs('My Shop', 'a/1.2')).toBe('my-shop-1-2');
    expect(await slugs('my_shop', 'b/1.2')).toBe('my-shop-1-2-2');
    expect(await slugs('My Shop', 'a/1.2')).toBe('my-shop-1-2');
    expect(await slugs('Ünïcode', 'c/1')).toBe('n-code-1');
    expect(await slugs('…', 'd/_2e_')).toBe('project-2e');
    const long = await Promise.all(['e', 'f', 'g'].map((run) => slugs('a'.repeat(60), `${run}/${'task-'.repeat(9)}`)));
    expect(new Set(long).size).toBe(3);
    for (const slug of long) expect(slug).toMatch(/^(?=.{1,40}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
  });
});

describe('ports', () => {
  it('may have any name of the schema', async () => {
    const { claimant, room } = machine();
    const given = await claimRoom(claimant('shop'), room('a/1'), ['constructor']);
    expect(given['DIVISI_PORT_CONSTRUCTOR']).toMatch(/^\d+$/);
  });

  it('differ between rooms, stay with their room, and are free again with it', async () => {
    const { claimant, room } = machine();
    const [one, other] = [room('a/1'), room('b/1')];
    const first = await claimRoom(claimant('x'), one, ['web', 'db-main']);
    expect(Object.keys(first)).toEqual(['DIVISI_SLUG', 'DIVISI_PORT_WEB', 'DIVISI_PORT_DB_MAIN']);
    const second = await claimRoom(claimant('y'), other, ['web']);
    const ports = [first['DIVISI_PORT_WEB'], first['DIVISI_PORT_DB_MAIN'], second['DIVISI_PORT_WEB']];
    expect(new Set(ports).size).toBe(3);
    expect(await claimRoom(claimant('x'), one, ['web', 'db-main'])).toEqual(first);
    expect(await claimRoom(claimant('x'), one, ['web', 'more'])).toMatchObject(first);
    expect(await claimedVariables(claimant('y'), other)).toEqual(second);
    await releaseRoom(claimant('x'), one);
    expect(await claimedVariables(claimant('x'), one)).toEqual({});
    expect((await claimRoom(claimant('z'), room('c/1'), ['web']))['DIVISI_PORT_WEB']).toBe(first['DIVISI_PORT_WEB']);
  });

  it('of a room that someone deleted are given to the next', async () => {
    const { claimant, room } = machine();
    const gone = room('a/1');
    const first = await claimRoom(claimant('x'), gone, ['web']);
    rmSync(gone, { recursive: true });
    expect(await claimRoom(claimant('x'), room('b/1'), ['web'])).toEqual(first);
  });

  it('are not those on which a program listens', async () => {
    const { claimant, room } = machine();
    const { DIVISI_PORT_WEB: wanted } = await claimRoom(claimant('x'), room('a/1'), ['web']);
    await releaseRoom(claimant('x'), room('a/1'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(Number(wanted), '127.0.0.1', resolve));
    try {
      const { DIVISI_PORT_WEB: got } = await claimRoom(claimant('x'), room('a/1'), ['web']);
      expect(got).not.toBe(wanted);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('are different for rooms that ask at the same time', async () => {
    const { claimant, room } = machine();
    const rooms = Array.from({ length: 12 }, (_, at) => room(`a/${at}`));
    const all = await Promise.all(rooms.map((folder) => claimRoom(claimant('x'), folder, ['web'])));
    expect(new Set(all.map(({ DIVISI_PORT_WEB: port }) => port)).size).toBe(12);
    expect(new Set(all.map(({ DIVISI_SLUG: slug }) => slug)).size).toBe(12);
  });

  it('are claimed again where the list was damaged', async () => {
    const { claimant, room, state } = machine();
    const claim = await claimRoom(claimant('x'), room('a/1'), ['web']);
    for (const text of ['', '{"half', '[{"room": 1}]']) {
      writeFileSync(join(state, 'ports/claims.json'), text);
      expect(await claimRoom(claimant('x'), room('a/1'), ['web'])).toEqual(claim);
    }
    expect(JSON.parse(readFileSync(join(state, 'ports/claims.json'), 'utf8'))).toHaveLength(1);
  });
});
