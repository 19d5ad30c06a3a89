/** A real terminal: a shell in a window of tmux, with keys to press, a size to change, and a screen to look at. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { until } from './running.ts';
import { environment } from './tutti.ts';

export const hasTmux: boolean = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) console.warn('SKIPPED: tmux is not installed, so nothing is known of the live view in a real terminal');

export interface Terminal {
  /** Keys as tmux names them: `a`, `Enter`, `C-c`. */
  press(...keys: readonly string[]): void;
  /** A command for the shell. */
  type(command: string): void;
  resize(columns: number, rows: number): void;
  /** What the window shows, a line each, without the empty ones at its end. */
  screen(): string[];
  /** The same with its colours, as escape sequences. */
  styled(): string;
  /** What was scrolled out of it, and then what it shows; lines that were broken are whole again. */
  record(): string[];
  /** The window is closed, and what runs in it is told so. */
  hangUp(): void;
  cursor(): { readonly isShown: boolean; readonly column: number };
  /** Waits until the screen has this. */
  shows(words: string | RegExp): Promise<void>;
}

/** Of the servers of this file: one for each terminal. */
const sockets = mkdtempSync(join(tmpdir(), 'tutti-tmux-'));
const close: (() => void)[] = [];
afterAll(() => {
  close.forEach((end) => end());
  rmSync(sockets, { recursive: true, force: true });
});

export function openTerminal(cwd: string, columns: number, rows: number): Terminal {
  const server = ['-u', '-S', join(sockets, String(close.length)), '-f', '/dev/null'];
  const env = { ...environment(cwd), TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', PS1: '$ ' };
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', [...server, ...words], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('new-session', '-d', ...size, 'bash --norc --noprofile -i');
  close.push(() => spawnSync('tmux', [...server, 'kill-server']));
  const lines = (...more: readonly string[]): string[] =>
    tmux('capture-pane', '-p', ...more)
      .trimEnd()
      .split('\n');
  const terminal: Terminal = {
    press: (...keys) => void tmux('send-keys', ...keys),
    type: (command) => void tmux('send-keys', command, 'Enter'),
    resize: (x, y) => void tmux('resize-window', '-x', String(x), '-y', String(y)),
    screen: () => lines(),
    hangUp: () => void tmux('kill-server'),
    styled: () => lines('-e').join('\n'),
    record: () => lines('-J', '-S', '-').map((line) => line.trimEnd()),
    cursor: () => {
      const [flag, column] = tmux('display-message', '-p', '#{cursor_flag} #{cursor_x}').trim().split(' ');
      return { isShown: flag === '1', column: Number(column) };
    },
    shows: (words) =>
      until(
        () => terminal.screen().join('\n'),
        (seen) => (typeof words === 'string' ? seen.includes(words) : words.test(seen)),
      ),
  };
  return terminal;
}
