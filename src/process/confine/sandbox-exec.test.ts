import { expect, it } from 'vitest';
import { sandboxProfile } from './sandbox-exec.ts';

it('writes the mounts as rules, in their order', () => {
  const profile = sandboxProfile({
    private: '/state/rooms/a',
    mounts: [
      { as: 'writable', path: '/tmp', from: '/state/rooms/a/tmp' },
      { as: 'hidden', path: '/Users/me/.ssh' },
      { as: 'fresh', path: '/Users/me/.claude' },
      { as: 'readable', path: '/Users/me/.claude/settings.json', from: '/state/empty' },
      { as: 'writable', path: '/Users/me/rooms/a "b"' },
    ],
  });
  expect(profile.split('\n')).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    '(deny file-read* file-write* (subpath "/Users/me/.ssh"))',
    '(allow file-read* file-write* (subpath "/Users/me/.claude"))',
    '(allow file-read* (subpath "/Users/me/.claude/settings.json"))',
    '(deny file-write* (subpath "/Users/me/.claude/settings.json"))',
    '(allow file-read* file-write* (subpath "/Users/me/rooms/a \\"b\\""))',
    '(allow file-read* file-write* (subpath "/state/rooms/a/tmp"))',
  ]);
});
