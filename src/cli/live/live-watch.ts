/** Shows a run live in the terminal: follows its events, reads keys, shows the activity of its agents. */
import type { RunEvent } from '../../core/event/event.ts';
import type { RunState } from '../../core/state/state.ts';
import { isInForeground } from '../../process/foreground.ts';
import type { LiveLook, WindowSize } from '../../views/live/live-look.ts';
import { liveRun } from '../../views/live/live-run.ts';
import { cutTo } from '../../views/live/live-text.ts';
import { liveView } from '../../views/live/live-view.ts';
import { liveActivity } from './live-activity.ts';
import { type Armed, press, signalOf } from './live-keys.ts';
import { type LiveTerminal, liveTerminal } from './live-terminal.ts';
import { paint } from '../paint.ts';
import type { LivenessWatch } from './watch-liveness.ts';

export interface LiveWatchOptions {
  readonly project: string;
  /** Called when a person answers a checkpoint with a key; without it those keys do nothing. */
  readonly answer?: (checkpoint: string, approved: boolean) => void;
  /** Number of stop requests. */
  readonly stops: () => number;
  /** Liveness of the agent of a delegation. */
  readonly liveness: LivenessWatch['of'];
}

export interface LiveWatch extends LiveTerminal {
  follow(event: RunEvent, state: RunState): void;
}

/** Terminals without a second screen. */
const simple = new Set(['', 'dumb', 'unknown', 'linux', 'ansi', 'vt52', 'vt100', 'vt102', 'vt220', 'cons25']);

/** Otherwise, and for a background process, which does not own the terminal, progress is printed as plain lines. */
export function canWatchLive(): boolean {
  const { isTTY, columns, rows } = process.stdout;
  return isTTY && columns > 0 && rows > 0 && !simple.has(process.env['TERM'] ?? '') && isInForeground();
}

/** A part of the window stays for the end of the record. */
function rowsFor(rows: number): number {
  return rows < 12 ? rows : rows - Math.min(8, Math.floor(rows / 4));
}

export function liveWatch({ project, answer, stops, liveness }: LiveWatchOptions): LiveWatch {
  const run = liveRun();
  let name = '';
  let armed: Armed | null = null;
  const activity = liveActivity({
    project,
    run: () => name,
    liveness,
    changed: () => terminal.refresh(),
  });
  const input = process.stdin.isTTY && !process.stdin.readableEnded ? process.stdin : null;

  function frame({ columns, rows }: WindowSize, record: readonly string[]): readonly string[] {
    const room = { columns, rows: rowsFor(rows) };
    const model = run.look(room.rows, activity.of);
    if (model === null) return [];
    const now = Date.now();
    if (armed !== null && now > armed.until) armed = null;
    const look: LiveLook = {
      paint,
      keys: input !== null,
      answers: answer !== undefined,
      armed: armed?.answer ?? null,
      stops: stops(),
    };
    const view = liveView(model, room, now, look);
    const space = rows - 2 - view.length;
    return space < 1 ? view : [...record.slice(-space).map((line) => cutTo(line, columns)), '', ...view];
  }

  function onKey(sent: string): void {
    const signal = signalOf(sent);
    // To the whole process group, as the terminal would.
    if (signal !== undefined) {
      armed = null;
      return void process.kill(0, signal);
    }
    const open = answer === undefined ? undefined : run.look(1)?.checkpoints[0]?.id;
    const pressed = press(armed, sent, open, Date.now());
    ({ armed } = pressed);
    if (pressed.answered !== undefined) answer?.(pressed.answered.checkpoint, pressed.answered.approved);
    return terminal.refresh();
  }

  const terminal = liveTerminal({ output: process.stdout, input, frame, key: onKey });
  return {
    ...terminal,
    follow(event, state) {
      name = state.created.run;
      run.follow(event, state);
      terminal.refresh();
    },
    close() {
      activity.close();
      terminal.close();
    },
  };
}
