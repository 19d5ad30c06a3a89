/**
 * Here text: tells a conversation that conducts a run how a delegation ended and what comes next. Each text has a hard budget;
 * agents' words are in double quotes and contain none.
 */
import { notesOf, verdictOf } from '../../core/event/make-outcome.ts';
import type { Outcome } from '../../core/event/outcome.ts';
import { flatten, oneLine, redactedLine } from '../../base/text.ts';
import { unconfirmedCommands } from '../../core/decide/accept-commands.ts';
import { whyOf } from '../../core/state/checkpoint-why.ts';
import { openCheckpoints, type RunState } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { counted } from '../text/quantity.ts';
import { escapeXml, fit } from '../text/escape.ts';
import { proofText, thenChanged, unattributedText, unconfirmedText } from '../run/proof-text.ts';

/** Characters. */
const hereBudget = { done: 300, next: 300, run: 900 } as const;

const mostNamed = 8;

export interface Ready {
  readonly task: string;
  readonly subagent: string;
}

/** Cannot end its quotes or a frame that the client puts around it. */
const quoted = (text: string, most: number): string => `"${fit(flatten(text).replaceAll('"', "'"), most, escapeXml)}"`;

export function isTrouble({ progress, attempt }: TaskState): boolean {
  if (progress.status !== 'completed') return true;
  // Said once for the run.
  const isSaid = (flag: string): boolean => flag === 'commands-not-run';
  const found = attempt?.verification?.findings.map(({ kind }) => kind) ?? [];
  return [...found, ...(progress.outcome?.degraded ?? [])].some((flag) => !isSaid(flag));
}

/** `1.1 completed, verified: 2 files +10 −3, checks 2/2`. */
export function doneText(task: TaskState, since: readonly string[] = []): string {
  const { id } = task.planned;
  const { progress } = task;
  const verification = task.attempt?.verification ?? null;
  const proof = verification === null ? '' : `, ${proofText(verification, since)}`;
  const done = progress.status === 'completed' ? `${proof}${noteWords(progress.outcome)}` : '';
  return oneLine(`${id} ${wordsOf(task)}${done}`, hereBudget.done);
}

/** The first note, and the number of the others. */
function noteWords(outcome: Outcome | undefined): string {
  const [first, ...others] = notesOf(outcome);
  if (first === undefined) return '';
  return `; note ${quoted(redactedLine(first), 100)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

function wordsOf(task: TaskState): string {
  const { progress, planned } = task;
  const verdict = 'outcome' in progress ? verdictOf(progress.outcome) : undefined;
  if (verdict !== undefined) return `${verdict.priority}: ${quoted(verdict.action, 120)}`;
  if (progress.status === 'verifying') return 'returned, not verified yet';
  const last = task.failures.at(-1);
  if (progress.status === 'completed') return 'completed';
  const why = last === undefined ? '' : ` (${last.class}: ${quoted(last.message, 160)})`;
  if (progress.status === 'pending') return `will be retried${why}`;
  return `${progress.status === 'ended' ? 'waiting for a person' : progress.status}${why}; see report ${planned.id}`;
}

/** The tasks to delegate now, or what the run waits for. */
export function hereNext(state: RunState, ready: readonly Ready[]): string {
  return oneLine(nextWords(state, ready), hereBudget.next);
}

/** To a conductor that stops while the run needs it. */
export function heldText(state: RunState, ready: readonly Ready[]): string {
  return `The run is not over; stop only if the person said so. ${hereNext(state, ready)}`;
}

function nextWords(state: RunState, ready: readonly Ready[]): string {
  if (state.status !== 'running') return `The run is ${state.status}.${doubtWords(state)}`;
  const shown = ready.slice(0, mostNamed).map(({ task, subagent }) => `${task} (${subagent})`);
  const rest = ready.length > mostNamed ? ` and ${ready.length - mostNamed} more` : '';
  const delegate = ready.length === 0 ? '' : `Delegate: ${shown.join(', ')}${rest}.`;
  const running = state.active.size === 0 ? '' : `${counted(state.active.size, 'agent')} running.`;
  const verifying = [...state.index.settling.values()].filter(({ progress }) => progress.status === 'verifying');
  // The process that verified it may be gone; a status call verifies it.
  const how = ready.length + state.active.size === 0 ? '; ask for status' : '';
  const settling =
    verifying.length === 0 ? '' : `Not verified yet: ${verifying.map(({ planned }) => planned.id).join(', ')}${how}.`;
  const asked = openCheckpoints(state).map((one) => `${one.id}: ${quoted(whyOf(state, one), 120)}`);
  const question = asked.length === 0 ? '' : `A person must answer ${asked.join('; ')}.`;
  const all = [delegate, running, settling, question].filter((one) => one !== '').join(' ');
  return all === '' ? 'Nothing can be delegated now; ask for status.' : all;
}

/** What is no longer as it was verified, and what nobody can be blamed for. */
function doubtWords(state: RunState): string {
  const { drifted, unattributed } = state;
  const changed = drifted.map(({ task, path }) => `${path} (${task})`);
  return [
    ...(changed.length === 0 ? [] : [`Verified, ${thenChanged(changed)}.`]),
    ...(unattributed.length === 0 ? [] : [`Unattributed: ${unattributedText(unattributed)}.`]),
  ]
    .map((text) => ` ${quoted(text, 240).slice(1, -1)}`)
    .join('');
}

/** The run's status, for a conversation that has lost its context. */
export function runText(state: RunState, ready: readonly Ready[]): string {
  const { run, plan } = state.created;
  const all = [...state.tasks.values()];
  const completed = all.filter(({ progress }) => progress.status === 'completed').length;
  const troubled = all.filter(({ progress }) => ['failed', 'partial', 'blocked', 'skipped'].includes(progress.status));
  const trouble =
    troubled.length === 0
      ? ''
      : ` Not done: ${troubled
          .slice(0, 10)
          .map(({ planned }) => planned.id)
          .join(', ')}.`;
  const at = [...state.active.values()].map(({ registered }) => registered.task);
  const busy = at.length === 0 ? '' : ` Running: ${at.slice(0, 12).join(', ')}.`;
  const unrun = unconfirmedCommands(state);
  const silent =
    unrun === 0 ? '' : ` Not run: ${unconfirmedText(unrun, { run, status: state.status, plan: state.planFile })}.`;
  const head = `Divisi run ${run} (${quoted(plan.title, 80)}) is ${state.status}: ${completed} of ${counted(all.length, 'task')} completed.`;
  return `${oneLine(`${head}${trouble}${busy}${silent}${state.status === 'running' ? doubtWords(state) : ''}`, hereBudget.run - hereBudget.next - 1)} ${hereNext(state, ready)}`;
}
