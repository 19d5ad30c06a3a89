/** Watches a run for `run` and `resume`: prints progress or JSON, handles signals, ends with a summary and an exit code. */
import { isatty } from 'node:tty';
import { rulesOf } from '../../core/event/run-kind.ts';
import { messageOf } from '../../base/error.ts';
import type { RunEvent } from '../../core/event/event.ts';
import { openCheckpoints, type RunState } from '../../core/state/state.ts';
import type { RunControls, RunOptions } from '../../runtime/runtime.ts';
import { runFolder } from '../../delegation/delegation-files.ts';
import { checkpointQuestion } from '../../views/run/checkpoint-question.ts';
import { questionText } from '../../views/run/question-text.ts';
import { terminalJsonLine } from '../../views/text/escape.ts';
import { progressLines } from '../../views/run/progress-lines.ts';
import { stillRunning } from '../../views/run/still-running.ts';
import { runReport } from '../../views/run/run-report.ts';
import { summaryText } from '../../views/run/summary-text.ts';
import { commandAnswer } from '../task/command-answer.ts';
import { canWatchLive, type LiveWatch, liveWatch } from './live-watch.ts';
import { type Answer, exitCodes, onLostOutput, warn } from '../output.ts';
import { watchLiveness } from './watch-liveness.ts';

export interface RunWatch {
  readonly options: Omit<RunOptions, 'project'>;
  /** The answer for a run that has come to rest. With `--json`, its report is the last line of the stream. */
  answer(state: RunState): Answer;
  /** Signals mean again what they meant before. */
  end(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const ignored = (): void => undefined;

export interface WatchOptions {
  readonly asJson: boolean;
  readonly project: string;
}

export function watchRun(command: string, { asJson, project }: WatchOptions): RunWatch {
  const lines = progressLines();
  let asked = 0;
  const isLive = !asJson && canWatchLive();
  // Live only from the first event: a plan that cannot run is reported in plain lines.
  let live: LiveWatch | undefined;
  const say = (line: string): void => (live === undefined ? void process.stdout.write(`${line}\n`) : live.print(line));
  const aside = (write: () => void, line: string): void => (live === undefined ? write() : live.aside(write, line));
  let controls: RunControls | undefined;
  let latest: RunState | undefined;
  const liveness = watchLiveness(project, () => latest);
  // Work that takes hours must not look like work that hangs.
  const heartbeat = setInterval(() => {
    if (asJson || isLive || latest === undefined) return;
    const line = stillRunning(latest, Date.now(), liveness.of);
    if (line !== undefined) say(line);
  }, 60_000);
  heartbeat.unref();

  const shown = new Set<string>();

  /** Context of a checkpoint, printed once. */
  function tell(state: RunState, id: string): readonly string[] {
    const open = openCheckpoints(state);
    const checkpoint = open.find((one) => one.id === id);
    if (checkpoint === undefined || shown.has(id)) return [];
    shown.add(id);
    return questionText(checkpointQuestion(state, checkpoint), state.created.run, open.length === 1).split('\n');
  }

  function tellQuestions(event: RunEvent, state: RunState): void {
    // That it was opened has just been said.
    if (event.kind === 'checkpoint.opened') for (const line of tell(state, event.checkpoint).slice(1)) say(line);
    // The keys answer what was asked before this process began, too.
    if (event.kind !== 'run.started') return;
    for (const { id } of openCheckpoints(state)) for (const line of tell(state, id)) say(line);
  }

  // Node forgets that `nohup` had SIGHUP ignored. Nothing of such a process is on the terminal that closes.
  const isOnTerminal = [0, 1, 2].some((file) => isatty(file));
  const listenerOf = (signal: (typeof signals)[number]): (() => void) =>
    signal === 'SIGHUP' && !isOnTerminal ? ignored : onSignal;

  function onSignal(): void {
    asked += 1;
    if (asked === 1) {
      const notice = 'stopping: no new tasks; running ones get a moment. Press Ctrl-C again to stop at once.\n';
      aside(() => process.stderr.write(notice), notice);
    }
    live?.refresh();
    controls?.stop(asked === 1 ? 'pause' : 'at-once');
  }
  for (const signal of signals) process.on(signal, listenerOf(signal));
  // A closed output stops the run like one Ctrl-C, never like two.
  const forget = onLostOutput(() => asked === 0 && onSignal());

  return {
    options: {
      environment: process.env,
      command,
      seen(event: RunEvent, state: RunState) {
        latest = state;
        const line = asJson ? terminalJsonLine({ run: state.created.run, ...event }) : lines(event, state);
        if (isLive) {
          live ??= liveWatch({
            project,
            stops: () => asked,
            liveness: liveness.of,
            answer: (checkpoint, approved) => controls?.answer(checkpoint, approved),
          });
        }
        live?.follow(event, state);
        if (line !== undefined) say(line);
        if (isLive) tellQuestions(event, state);
      },
      warn: (error) => aside(() => warn(error), `divisi: ${messageOf(error)}`),
      // A person who watches the run can answer.
      atCheckpoint: isLive ? 'wait' : 'pause',
      controls(given) {
        controls = given;
        // A signal that came before there was anything to stop.
        if (asked > 0) given.stop(asked === 1 ? 'pause' : 'at-once');
      },
    },
    answer: (state) => {
      const { hasStages } = rulesOf(state.created);
      const { code, text } = hasStages
        ? commandAnswer(state, project)
        : { code: codeOf(state), text: summaryOf(state) };
      return { code, json: runReport(state), isLine: true, text: asJson ? '' : text };
    },
    end() {
      clearInterval(heartbeat);
      live?.close();
      void liveness.close();
      for (const signal of signals) process.off(signal, listenerOf(signal));
      forget();
    },
  };
}

function summaryOf(state: RunState): string {
  return summaryText(runReport(state), `${runFolder(state.created.run)}/reports`);
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
