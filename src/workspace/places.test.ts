import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { projectKey, roomsRoot, stateFolder, stateRoot } from './places.ts';

const folder = temporaryFolders();

it.each([
  [{ DIVISI_STATE: '/s', XDG_STATE_HOME: '/x', HOME: '/h' }, '/s'],
  [{ XDG_STATE_HOME: '/x', HOME: '/h' }, '/x/divisi'],
  [{ DIVISI_STATE: 'relative', XDG_STATE_HOME: '', HOME: '/h' }, '/h/.local/state/divisi'],
])('%j keeps state in %s', (environment, expected) => {
  expect(stateRoot(environment)).toBe(expected);
});

it.each([
  [{ HOME: '/home/ada' }, undefined, '/home/ada/divisi-rooms'],
  [{ HOME: '/home/ada', DIVISI_ROOMS: '/big/rooms' }, undefined, '/big/rooms'],
  [{ HOME: '/home/ada', DIVISI_ROOMS: '/big/rooms' }, '/own', '/own'],
  [{ HOME: '/home/.ada' }, undefined, `/var/tmp/divisi-${process.getuid?.()}`],
  [{ HOME: '/home/Ada Example' }, undefined, `/var/tmp/divisi-${process.getuid?.()}`],
  [{ HOME: '/home/ada', DIVISI_ROOMS: '/big/.rooms' }, undefined, `/var/tmp/divisi-${process.getuid?.()}`],
])('%j with %s has its rooms in %s', (environment, chosen, expected) => {
  expect(roomsRoot(environment, chosen)).toBe(expected);
});

it('a project is known by its real path', () => {
  const top = folder();
  for (const name of ['a b', '.hidden', 'other/a b']) mkdirSync(join(top, name), { recursive: true });
  symlinkSync(join(top, 'a b'), join(top, 'link'));
  expect(projectKey(join(top, 'a b'))).toMatch(/^a-b-[0-9a-f]{8}$/);
  expect(projectKey(join(top, '.hidden'))).toMatch(/^hidden-[0-9a-f]{8}$/);
  expect(projectKey(join(top, 'link'))).toBe(projectKey(join(top, 'a b')));
  expect(projectKey(join(top, 'other/a b'))).not.toBe(projectKey(join(top, 'a b')));
  expect(stateFolder(top, { DIVISI_STATE: '/s' })).toBe(`/s/projects/${projectKey(top)}`);
});

it('paths that differ little have different keys', () => {
  const top = folder();
  const keys = Array.from({ length: 300 }, (_, at) => {
    mkdirSync(join(top, `${at}/app`), { recursive: true });
    return projectKey(join(top, `${at}/app`));
  });
  expect(keys.every((key) => /^app-[0-9a-f]{8}$/.test(key))).toBe(true);
  expect(new Set(keys).size).toBe(300);
});
