/** A real terminal: a shell in a window of tmux, with keys to press, a size to change, and a screen to look at. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { environment } from './divisi.ts';
import { openWindow, type Terminal } from './window.ts';

export type { Terminal } from './window.ts';

export const hasTmux: boolean = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) console.warn('SKIPPED: tmux is not installed, so nothing is known of the live view in a real terminal');

/** Of the servers of this file: one for each terminal. */
const sockets = mkdtempSync(join(tmpdir(), 'divisi-tmux-'));
const close: (() => void)[] = [];
afterAll(() => {
  close.forEach((end) => end());
  rmSync(sockets, { recursive: true, force: true });
});

export function openTerminal(cwd: string, columns: number, rows: number): Terminal {
  const socket = join(sockets, String(close.length));
  const env = { ...environment(cwd), PS1: '$ ' };
  const window = openWindow({ socket, cwd, env, command: 'bash --norc --noprofile -i', columns, rows });
  close.push(() => window.close());
  return window;
}
