/** A window of tmux with one program in it: keys to press, a size to change, and a screen to look at. */
import { execFileSync, spawnSync } from 'node:child_process';
import { until } from './until.ts';

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

export interface Shown {
  /** Of the server of this window alone. */
  readonly socket: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** As the shell of tmux reads it. */
  readonly command: string;
  readonly columns: number;
  readonly rows: number;
}

/** Whoever opens it closes it: `close` ends the server, and works on one that is gone, too. */
export function openWindow({ socket, cwd, command, columns, rows, ...shown }: Shown): Terminal & { close(): void } {
  const server = ['-u', '-S', socket, '-f', '/dev/null'];
  const env = { ...shown.env, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', [...server, ...words], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('new-session', '-d', ...size, command);
  const lines = (...more: readonly string[]): string[] =>
    tmux('capture-pane', '-p', ...more)
      .trimEnd()
      .split('\n');
  const terminal: Terminal = {
    press: (...keys) => void tmux('send-keys', ...keys),
    type: (command) => void tmux('send-keys', command, 'Enter'),
    resize: (x, y) => void tmux('resize-window', '-x', String(x), '-y', String(y)),
    screen: () => lines(),
    // The server may be gone before it has answered.
    hangUp: () => void spawnSync('tmux', [...server, 'kill-server']),
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
  return { ...terminal, close: () => void spawnSync('tmux', [...server, 'kill-server']) };
}
