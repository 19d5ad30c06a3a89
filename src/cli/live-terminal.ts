/**
 * A terminal with a record that grows and a frame that changes.
 *
 *   away (suspended, or in the background) ⇄ held; either → closed
 *
 * Only while it is held is there a frame, a hidden cursor and a keyboard that is read. It is let go on every way out: at the end,
 * at an error, at a signal, when the process is suspended.
 */
import type { ReadStream, WriteStream } from 'node:tty';
import { isInForeground } from '../process/foreground.ts';
import type { WindowSize } from '../views/live-look.ts';
import { enter, leave, paintText } from './live-painter.ts';

export interface LiveTerminal {
  /** A line of the record. */
  print(line: string): void;
  /** For whoever writes to the record by another way. */
  aside(write: () => void): void;
  /** Something has changed; it is shown within a tenth of a second. */
  refresh(): void;
  close(): void;
}

export interface LiveTerminalOptions {
  readonly output: WriteStream;
  /** Null when nobody is at the keys. */
  readonly input: ReadStream | null;
  /** What the window shows; given the end of the record as well. */
  readonly frame: (size: WindowSize, record: readonly string[]) => readonly string[];
  /** What was sent by a press of a key. */
  readonly key: (sent: string) => void;
}

/** Milliseconds between two frames. */
const shortest = 100;
/** Lines of the record that a frame may show again. */
const memory = 100;

export function liveTerminal({ output, input, frame, key }: LiveTerminalOptions): LiveTerminal {
  let state: 'held' | 'away' | 'closed' = 'away';
  let fresh: string[] = [];
  let record: readonly string[] = [];
  let last = '';
  let painted = 0;
  let next: NodeJS.Timeout | undefined;

  function takeFresh(): readonly string[] {
    const lines = fresh;
    fresh = [];
    record = [...record, ...lines.slice(-memory)].slice(-memory);
    return lines;
  }

  function paint(): void {
    clearTimeout(next);
    next = undefined;
    if (state !== 'held') return;
    painted = performance.now();
    const lines = takeFresh();
    const text = paintText(lines, frame({ columns: output.columns, rows: output.rows }, record));
    if (text !== last) output.write(text);
    last = lines.length === 0 ? text : '';
  }

  function refresh(): void {
    if (next !== undefined || state !== 'held') return;
    const wait = shortest - (performance.now() - painted);
    if (wait <= 0) paint();
    else next = setTimeout(paint, wait);
  }

  function hold(): void {
    if (state !== 'away' || !isInForeground()) return;
    state = 'held';
    input?.setRawMode(true).resume();
    output.write(enter);
    repaint();
  }

  function repaint(): void {
    last = '';
    paint();
  }

  function letGo(into: 'away' | 'closed'): void {
    const wasHeld = state === 'held';
    state = into;
    clearTimeout(next);
    next = undefined;
    if (!wasHeld) return;
    output.write(leave(takeFresh()));
    input?.setRawMode(false).pause();
  }

  const onData = (sent: Buffer): void => key(sent.toString('latin1'));
  const onExit = (): void => letGo('closed');
  const onSuspend = (): void => {
    letGo('away');
    process.kill(process.pid, 'SIGSTOP');
  };
  const onQuit = (): void => {
    close();
    process.kill(process.pid, 'SIGQUIT');
  };

  function close(): void {
    letGo('closed');
    clearInterval(everySecond);
    input?.off('data', onData);
    output.off('resize', repaint);
    process.off('exit', onExit).off('SIGTSTP', onSuspend).off('SIGCONT', hold).off('SIGQUIT', onQuit);
  }

  // A job that already runs is brought to the foreground without a signal.
  const everySecond = setInterval(() => (state === 'away' ? hold() : refresh()), 1000);
  everySecond.unref();
  // A terminal that is gone says so on its output as well.
  input?.on('data', onData).on('error', () => undefined);
  input?.pause();
  output.on('resize', repaint);
  process.on('exit', onExit).on('SIGTSTP', onSuspend).on('SIGCONT', hold).on('SIGQUIT', onQuit);
  hold();

  return {
    print(line) {
      fresh.push(line);
      if (state === 'held') return refresh();
      return void output.write(`${takeFresh().join('\n')}\n`);
    },
    aside(write) {
      if (state !== 'held') return write();
      output.write(leave(takeFresh()));
      write();
      output.write(enter);
      return repaint();
    },
    refresh,
    close,
  };
}
