/** Sends progress of a run to a waiting client, at most every few seconds and often enough to prevent a timeout. */
import { workflowAs } from '../core/event/run-kind.ts';
import type { ServerContext } from '@modelcontextprotocol/server';
import { oneLine } from '../base/text.ts';
import { findTask, isOver, type RunState } from '../core/state/state.ts';
import { commandStages } from '../core/event/workflow-step.ts';
import type { CommandWorkflow } from '../core/event/workflow.ts';

/** Milliseconds. */
const soonest = 3000;
const latest = 45_000;

export interface ProgressReporter {
  readonly seen: (state: RunState) => void;
  readonly end: () => void;
}

/** Nothing is sent to a client that did not ask. */
export function progressFor({ mcpReq }: ServerContext): ProgressReporter {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { seen: () => undefined, end: () => undefined };
  let state: RunState | undefined;
  let last = 0;
  let said = '';
  let progress = -1;
  const send = (): void => {
    if (state === undefined || mcpReq.signal.aborted) return;
    const [now, { done, total, message }] = [Date.now(), runProgress(state)];
    const isDue = now - last >= (message === said ? latest : soonest);
    if (!isDue) return;
    [last, said] = [now, message];
    // The protocol requires growing values.
    progress = Math.max(done, progress + 0.001);
    const params = { progressToken, progress, total: Math.max(total, progress), message };
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(send, 1000);
  timer.unref();
  return {
    seen: (seen) => {
      state = seen;
      send();
    },
    end: () => clearInterval(timer),
  };
}

const mostNamed = 3;

interface ProgressNote {
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

/** For a command: its stage, and the names of its agents. */
function commandProgress(
  { number, command }: CommandWorkflow,
  { command: { reached }, active }: RunState,
): ProgressNote {
  const stage = reached.at(-1)?.stage ?? 'parse';
  const agents = oneLine(Array.from(active.values(), ({ registered }) => registered.agent).join(', '), 100);
  const at = commandStages.indexOf(stage) + 1;
  const message = `${oneLine(command, 40)} ${number}: ${stage}${agents === '' ? '' : `, running: ${agents}`}`;
  return { done: at - 1, total: commandStages.length, message };
}

function runProgress(state: RunState): ProgressNote {
  const { tasks, active, created, waves } = state;
  const command = workflowAs(created, 'command');
  if (command !== undefined) return commandProgress(command, state);
  const over = [...tasks.values()].filter(({ progress: { status } }) =>
    ['completed', 'failed', 'skipped'].includes(status),
  ).length;
  const running = Array.from(active.values(), ({ registered }) => nameOf(registered.task, state));
  const names = running.slice(0, mostNamed).join(', ') + (running.length > mostNamed ? ', …' : '');
  const ended = waves.filter(({ status }) => status === 'completed' || status === 'failed').length;
  // The end of a wave is its review and its checks, the end of the run its final review.
  const [done, total] = [over + ended + (isOver(state.status) ? 1 : 0), tasks.size + waves.length + 1];
  return { done, total, message: `${over}/${tasks.size} tasks${names === '' ? '' : `, running: ${names}`}` };
}

/** `1.1 Write a file`. */
function nameOf(task: string, state: RunState): string {
  return oneLine(`${task} ${findTask(state, task)?.planned.title ?? ''}`, 60);
}
