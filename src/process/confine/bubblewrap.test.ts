import { describe, expect, it } from 'vitest';
import { bubblewrapArgv, bubblewrapBase } from './bubblewrap.ts';
import type { Mount } from './confinement.ts';

function mountsIn(mounts: readonly Mount[]): string[] {
  const argv = bubblewrapArgv({ program: '/usr/bin/bwrap', mounts }, { argv: ['agent', '--x'], directory: '/rooms/a' });
  expect(argv.slice(0, 1 + bubblewrapBase.length)).toEqual(['/usr/bin/bwrap', ...bubblewrapBase]);
  expect(argv.slice(-5)).toEqual(['--chdir', '/rooms/a', '--', 'agent', '--x']);
  return argv.slice(1 + bubblewrapBase.length, -5);
}

describe('the command line of a confined program', () => {
  it('drops all rights and shares no processes', () => {
    expect(bubblewrapBase).toEqual(expect.arrayContaining(['--unshare-pid', '--die-with-parent', '--cap-drop', 'ALL']));
    expect(bubblewrapBase.join(' ')).toContain('--ro-bind / /');
  });

  it('has the mounts in their order, and makes empty folders read-only at the end', () => {
    const mounts: Mount[] = [
      { as: 'hidden', path: '/rooms' },
      { as: 'readable', path: '/home/a' },
      { as: 'fresh', path: '/home/a/.client' },
      { as: 'readable', path: '/home/a/.client/settings.json', from: '/state/empty' },
      { as: 'writable', path: '/rooms/a' },
    ];
    expect(mountsIn(mounts).join(' ')).toBe(
      '--tmpfs /rooms --ro-bind /home/a /home/a --tmpfs /home/a/.client --ro-bind /state/empty /home/a/.client/settings.json --bind /rooms/a /rooms/a --remount-ro /rooms',
    );
  });

  it('leaves out what a later mount covers', () => {
    const mounts: Mount[] = [
      { as: 'hidden', path: '/tmp/a' },
      { as: 'hidden', path: '/tmpfoo' },
      { as: 'writable', path: '/tmp', from: '/state/tmp' },
    ];
    expect(mountsIn(mounts).join(' ')).toBe('--tmpfs /tmpfoo --bind /state/tmp /tmp --remount-ro /tmpfoo');
  });

  it('gives devices as devices', () => {
    expect(mountsIn([{ as: 'writable', path: '/dev/kvm' }])).toEqual(['--dev-bind', '/dev/kvm', '/dev/kvm']);
  });
});
