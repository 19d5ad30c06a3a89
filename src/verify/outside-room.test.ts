import { describe, expect, it } from 'vitest';
import type { Mount } from '../process/confine/confinement.ts';
import { outsideRoom } from './outside-room.ts';

const mounts: Mount[] = [
  { as: 'writable', path: '/tmp' },
  { as: 'readable', path: '/tmp/home' },
  { as: 'hidden', path: '/rooms' },
  { as: 'writable', path: '/rooms/a' },
];
const said = (path: string): string => `${path} is outside the room: add it to confine.writable`;

describe('the output of a command that was not allowed to write', () => {
  it.each([
    [`Error: EROFS: read-only file system, mkdir '/home/a/.m2'\n    at x (/rooms/a/x.js:1)`, '/home/a/.m2'],
    [`touch: cannot touch '/etc/x': Read-only file system`, '/etc/x'],
    [`sh: 1: cannot create /home/a/b: Read-only file system`, '/home/a/b'],
    [`PermissionError: [Errno 13] Permission denied: '/home/a/.cache/pip'`, '/home/a/.cache/pip'],
    ['npm error code EROFS\nnpm error syscall mkdir\nnpm error path /home/a/.npm/_cacache', '/home/a/.npm/_cacache'],
    [`EROFS: open '/tmp/x'\nEROFS: open '/tmp/home/x'`, '/tmp/home/x'],
    ['EACCES: permission denied, open `/rooms/a/x`\nEROFS: open `/srv/x`', '/srv/x'],
  ])('names the path: %.60j', (output, path) => {
    expect(outsideRoom(output, { mounts })).toBe(said(path));
  });

  it.each([['all is well, see /etc/x'], [`EACCES: permission denied, open '/rooms/a/x'`], ['EROFS'], ['']])(
    'names none: %j',
    (output) => {
      expect(outsideRoom(output, { mounts })).toBeUndefined();
    },
  );
});
