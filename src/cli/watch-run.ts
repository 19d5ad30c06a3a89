/** What `run` and `resume` share: lines or JSON while it goes on, signals, a summary and an exit code at the end. */
import type { RunEvent } from '../core/event.ts';
import type { RunState } from '../core/state.ts';
import type { RunOptions } from '../runtime.ts';
import { runFolder } from '../scheduler/delegation-files.ts';
import { terminalJsonLine } from '../views/escape.ts';
import { progressLines, stillRunning } from '../views/progress-lines.ts';
import { runReport, summaryText } from '../views/run-report.ts';
import { type Answer, exitCodes, onLostOutput, warn } from './output.ts';

export interface Watched {
  readonly options: Omit<RunOptions, 'project'>;
  /** The answer for a run that has come to rest; what has been streamed is not said again. */
  answer(state: RunState): Answer;
  /** Signals mean again what they meant before. */
  end(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function watchRun(command: string, asJson: boolean): Watched {
  const lines = progressLines();
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  let stop: ((how: 'pause' | 'at-once') => void) | undefined;
  let asked = 0;
  let latest: RunState | undefined;
  // Work that takes hours must not look like work that hangs.
  const heartbeat = setInterval(() => {
    const line = asJson || latest === undefined ? undefined : stillRunning(latest, Date.now());
    if (line !== undefined) say(line);
  }, 60_000);
  heartbeat.unref();

  function onSignal(): void {
    asked += 1;
    if (asked === 1) {
      process.stderr.write('stopping: no new tasks; what runs gets a moment. Once more ends it at once.\n');
    }
    stop?.(asked === 1 ? 'pause' : 'at-once');
  }
  for (const signal of signals) process.on(signal, onSignal);
  // Nobody reads any more: that is a reason to stop, but no second Ctrl-C.
  const forget = onLostOutput(() => asked === 0 && onSignal());

  return {
    options: {
      environment: process.env,
      command,
      seen(event: RunEvent, state: RunState) {
        latest = state;
        const line = asJson ? terminalJsonLine({ run: state.created.run, ...event }) : lines(event, state);
        if (line !== undefined) say(line);
      },
      warn,
      controls({ stop: how }) {
        stop = how;
        // A signal that came before there was anything to stop.
        if (asked > 0) how(asked === 1 ? 'pause' : 'at-once');
      },
    },
    answer: (state) => ({
      code: codeOf(state),
      json: undefined,
      text: asJson ? '' : summaryText(runReport(state), `${runFolder(state.created.run)}/reports`),
    }),
    end() {
      clearInterval(heartbeat);
      for (const signal of signals) process.off(signal, onSignal);
      forget();
    },
  };
}

function codeOf({ status, needsAnswer }: RunState): Answer['code'] {
  switch (status) {
    case 'completed':
      return exitCodes.completed;
    case 'failed':
      return exitCodes.failed;
    case 'paused':
      return needsAnswer ? exitCodes.needsAnswer : exitCodes.paused;
    case 'cancelled':
      return exitCodes.cancelled;
    case 'planning':
    case 'running':
      throw new Error(`the run came to rest while ${status}`);
    default:
      return status satisfies never;
  }
}
