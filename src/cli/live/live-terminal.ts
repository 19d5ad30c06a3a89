/**
 * LiveTerminal: a terminal with a growing record and a changing frame.
 *
 *   away (suspended, or in the background) ⇄ held; either → closed
 *
 * Only while held does it show a frame, hide the cursor and read keys. It is released on every way out: end, error, signal,
 * suspension.
 */
import type { ReadStream, WriteStream } from 'node:tty';
import { isInForeground } from '../../process/foreground.ts';
import type { WindowSize } from '../../views/live/live-look.ts';
import { enterFrame, leaveFrame, paintText } from './live-painter.ts';

export interface LiveTerminal {
  /** A line of the record. */
  print(line: string): void;
  /** Writes to the record by other means; the frame shows the line. */
  aside(write: () => void, line: string): void;
  /** Repaints within a tenth of a second. */
  refresh(): void;
  close(): void;
}

export interface LiveTerminalOptions {
  readonly output: WriteStream;
  /** Null without a keyboard. */
  readonly input: ReadStream | null;
  /** Lines of the window; `record` is the end of the record. */
  readonly frame: (size: WindowSize, record: readonly string[]) => readonly string[];
  /** Receives the bytes of a key press. */
  readonly key: (sent: string) => void;
}

/** Milliseconds between two frames. */
const shortest = 100;
/** Lines of the record that a frame may show. */
const memory = 100;
/** Lines buffered for the record's screen: a terminal resized while switching screens may mix them up. */
const most = 1000;

export function liveTerminal({ output, input, frame, key }: LiveTerminalOptions): LiveTerminal {
  let state: 'held' | 'away' | 'closed' = 'away';
  /** Lines not yet on the record's screen. */
  let unwritten: string[] = [];
  let record: string[] = [];
  let last = '';
  let painted = 0;
  let next: NodeJS.Timeout | undefined;

  function take(): readonly string[] {
    const lines = unwritten;
    unwritten = [];
    return lines;
  }

  function remember(line: string): void {
    record.push(line);
    if (record.length > memory * 2) record = record.slice(-memory);
  }

  function paint(): void {
    clearTimeout(next);
    next = undefined;
    if (state !== 'held') return;
    painted = performance.now();
    const lines = unwritten.length < most ? [] : take();
    const text = paintText(lines, frame({ columns: output.columns, rows: output.rows }, record));
    if (text !== last) output.write(text);
    last = lines.length === 0 ? text : '';
  }

  function refresh(): void {
    if (next !== undefined || state !== 'held') return;
    // Delayed: a commit's change and its line in the record belong in the same frame.
    next = setTimeout(paint, Math.max(0, shortest - (performance.now() - painted)));
  }

  function hold(): void {
    if (state !== 'away' || !isInForeground()) return;
    state = 'held';
    input?.setRawMode(true).resume();
    output.write(enterFrame);
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
    output.write(leaveFrame(take()));
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

  // A running job moves to the foreground without a signal.
  const everySecond = setInterval(() => (state === 'away' ? hold() : refresh()), 1000);
  everySecond.unref();
  // A closed terminal is reported by its output.
  input?.on('data', onData).on('error', () => undefined);
  input?.pause();
  output.on('resize', repaint);
  process.on('exit', onExit).on('SIGTSTP', onSuspend).on('SIGCONT', hold).on('SIGQUIT', onQuit);
  hold();

  return {
    print(line) {
      remember(line);
      if (state !== 'held') return void output.write(`${line}\n`);
      unwritten.push(line);
      return refresh();
    },
    aside(write, line) {
      remember(line);
      if (state !== 'held') return write();
      output.write(leaveFrame(take()));
      write();
      output.write(enterFrame);
      return repaint();
    },
    refresh,
    close,
  };
}
