/** Progress lines: renders each event of a run as at most one plain line, for terminals, logs and CI. Agents' words are flattened and cut. */
import { diskLine, withdrawnLine } from './disk-lines.ts';
import { programNames } from '../../config/client-settings.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { failureOf } from '../../core/event/make-outcome.ts';
import { oneLine } from '../../base/text.ts';
import type { EventOf, RunEvent } from '../../core/event/event.ts';
import { findTask, mostRepairs, type RunState } from '../../core/state/state.ts';
import { canaryLine } from './base-text.ts';
import { amendmentList } from './amendment-changes.ts';
import { isFailure } from '../../core/event/work-findings.ts';
import { counted, shortDuration } from '../text/quantity.ts';
import { commandText, proofText, rejectedText, unattributedText } from './proof-text.ts';
import { skippedText } from './waiting-text.ts';
import { driftLine, foreignText, refusalLine, requestLine, updateLine } from './update-text.ts';

/** Called with each event and the state after its commit; remembers when delegations began. */
export type ProgressLines = (event: RunEvent, state: RunState) => string | undefined;

export function progressLines(): ProgressLines {
  const began = new Map<string, number>();
  const tasks = new Map<string, string>();
  /** Number of the last attempt, by task. The state may be ahead of the event. */
  const attempts = new Map<string, number>();
  /** Returns that are not verified yet, by task. */
  const claimed = new Map<string, Claimed>();
  let settled = 0;
  const doneLine = (task: string, state: RunState): string => {
    const claim = claimed.get(task);
    claimed.delete(task);
    return claim === undefined
      ? `  ${task} completed${proofOf(task, state)}`
      : endLine(claim.event, claim.start, proofOf(task, state));
  };
  return (event, state) => {
    switch (event.kind) {
      case 'run.created':
      case 'wave.planned':
      case 'run.conducted':
      case 'conductor.held':
      case 'conductor.left':
      case 'delegation.started':
      case 'plan.written':
      case 'plan.confirmed':
      case 'workspace.opened':
      case 'conversation.opened':
      case 'merge.started':
      case 'clock.reached':
      case 'step.added':
      // The command's answer reports steps that failed.
      case 'postflight.done':
        return undefined;
      case 'stage.reached':
        return stageLine(event);
      case 'run.started':
        settled = [...state.tasks.values()].filter(({ progress }) => progress.status === 'completed').length;
        return startLine(state, event, settled);
      case 'wave.started':
        return waveLine(event, state);
      case 'delegation.registered':
        began.set(event.delegation, event.at);
        tasks.set(event.delegation, event.task);
        attempts.set(event.task, event.attempt);
        return `  ${event.task} started: ${oneLine(findTask(state, event.task)?.planned.title ?? '', 70)}${attemptText(event.attempt)}`;
      case 'permission.answered': {
        const task = tasks.get(event.delegation) ?? event.delegation;
        return event.granted
          ? undefined
          : `  ${task} permission denied: ${oneLine(event.asked, 80)}: ${oneLine(event.why, 80)}`;
      }
      case 'return.refused': {
        const [first = 'no reason given'] = event.violations;
        return `  ${tasks.get(event.delegation) ?? event.delegation} return not accepted, repair ${event.repair} of ${mostRepairs}: ${oneLine(first, 120)}`;
      }
      case 'delegation.ended': {
        const start = began.get(event.delegation);
        began.delete(event.delegation);
        tasks.delete(event.delegation);
        if (event.end === 'lost') return `  ${event.task} was interrupted when the orchestrator stopped; restarting`;
        if (event.end === 'cancelled') return `  ${event.task} stopped; restarts when the run is resumed`;
        if (state.index.settling.has(event.task)) {
          claimed.set(event.task, { event, start });
          return undefined;
        }
        return endLine(event, start);
      }
      case 'task.accepted':
        return `  ${event.task} accepted by you`;
      case 'task.verified': {
        if (event.verification.verdict === 'rejected') return `  ${event.task} ${rejectedText(event.verification)}`;
        return event.verification.commit === undefined ? doneLine(event.task, state) : undefined;
      }
      case 'task.merged':
        return `${doneLine(event.task, state)}${foreignText(event)}`;
      case 'task.conflicted':
        if (event.branch !== undefined) return `  ${event.task} not merged: ${oneLine(event.branch, 200)}`;
        return `  ${event.task} conflicts with merged work: ${paths(event.conflicts)}`;
      case 'base.checked':
        return canaryLine(event.check);
      case 'gate.checked':
        return checkLine(event);
      case 'task.settled':
        settled += state.tasks.has(event.task) ? 1 : 0;
        return undefined;
      case 'task.retried':
        return retryLine(event, state, attempts.get(event.task));
      case 'task.added':
        return undefined;
      case 'finding.deferred':
        return `  ${event.finding} deferred: ${oneLine(event.action, 120)}`;
      case 'task.skipped':
        settled += state.tasks.has(event.task) ? 1 : 0;
        return `  ${event.task} skipped: ${skippedText(event.task, event.because)}`;
      case 'wave.ended': {
        const wave = state.waves[event.wave - 1];
        if (wave === undefined) return `${stageName(event.wave, state)} ended`;
        const done = wave.tasks.filter(({ progress }) => progress.status === 'completed').length;
        return `wave ${event.wave} ${event.status}: ${done} of ${counted(wave.tasks.length, 'task')} completed; run: ${settled} of ${counted(state.tasks.size, 'task')} ended`;
      }
      case 'checkpoint.opened':
        // Passed at once.
        if (event.type === 'planned' && state.created.settings.mode === 'auto') return undefined;
        if (state.onTrouble === 'reject' && event.type !== 'planned' && event.type !== 'edit')
          return `${event.checkpoint}: ${oneLine(event.why, 200)}`;
        return `${event.checkpoint}${event.type === 'planned' ? ` after wave ${event.afterWave}` : ''} needs you: ${oneLine(event.why, 200)}`;
      case 'checkpoint.answered':
        return answerLine(event);
      case 'checkpoint.withdrawn':
        return withdrawnLine(event, state);
      case 'disk.measured':
        return diskLine(event);
      case 'plan.changed':
        return `plan ${event.file} was edited${conflictList(event.conflicts)}`;
      case 'plan.amended':
        return `plan edit applied: ${amendmentList(event.amendments)}`;
      case 'update.requested':
        return requestLine(event);
      case 'workspace.updated':
        return updateLine(event);
      case 'update.refused':
        return refusalLine(event);
      case 'work.unattributed':
        return unattributedText(event.files.map((path) => ({ path, tasks: event.tasks })));
      case 'work.drifted':
        return driftLine(event);
      case 'work.reopened':
        return `reopened (${oneLine(event.why, 120)}): ${event.tasks.slice(0, 20).join(', ')}${event.tasks.length > 20 ? '…' : ''}`;
      case 'run.paused':
        return `paused: ${oneLine(event.reason, 200)}`;
      case 'run.ended':
        return `run ${event.status}${event.reason === undefined ? '' : `: ${oneLine(event.reason, 200)}`}`;
      default:
        return event satisfies never;
    }
  };
}

function startLine(
  { created, tasks, waves }: RunState,
  { onTrouble }: EventOf<'run.started'>,
  settled: number,
): string {
  const { run, plan, settings } = created;
  const before = settled === 0 ? '' : `, ${settled} already completed`;
  const size = `${counted(waves.length, 'wave')}, ${counted(tasks.size, 'task')}${before}`;
  return `${run} ${oneLine(plan.title, 80)}: ${size}, ${settings.concurrency} at a time, driver ${driverText(created)}${settings.reviews === 'off' ? ', reviews off' : ''}${onTrouble === undefined ? '' : `, on trouble ${onTrouble}`}${setUpText(created.workspace)}`;
}

/** What is started, and which file says so. */
function driverText({ settings, plan }: RunState['created']): string {
  const { driver, command } = settings;
  if (command !== undefined) return `${driver} (${oneLine(commandLine(command), 120)}, from ${oneLine(plan.file, 80)})`;
  if (driver === '' || driver === 'conversation' || settings.scenario !== undefined) return driver;
  return `${driver} (${programNames.some((one) => one === driver) ? 'built in' : 'from .divisi/config.yaml'})`;
}

function setUpText(workspace: RunState['created']['workspace']): string {
  if (workspace === undefined || workspace.setup.length === 0) return '';
  const from = workspace.setupFrom ?? 'from .divisi/config.yaml';
  return `, each room set up with ${oneLine(workspace.setup.map(commandLine).join(' && '), 200)} (${from})`;
}

function waveLine({ wave: number }: EventOf<'wave.started'>, state: RunState): string {
  const { waves } = state;
  const wave = waves[number - 1];
  if (wave === undefined) return stageName(number, state);
  const title = wave.title === '' ? '' : ` ${oneLine(wave.title, 80)}`;
  const open = wave.tasks.filter(({ progress }) => progress.status !== 'completed').length;
  return `wave ${number} of ${waves.length}${title}: ${counted(open, 'task')}`;
}

/** Names the stage before the first wave and the one after the last. */
function stageName(wave: number, { created }: RunState): string {
  if (wave === 0) return 'audit of existing work';
  return created.settings.reviews === 'off' ? 'fixes of deferred findings' : 'final review';
}

function retryLine({ task, tier, why }: EventOf<'task.retried'>, state: RunState, last: number | undefined): string {
  const attempt = last === undefined ? '' : attemptText(last + 1);
  switch (why) {
    case 'again':
      return `  ${task} retrying${attempt}`;
    case 'escalated':
      return `  ${task} escalated to tier ${tier}`;
    case 'waited': {
      const { quota } = state;
      const guess = quota?.guessed === true ? ' (estimated)' : '';
      const until = quota === null ? 'then' : new Date(quota.until).toISOString().slice(0, 19);
      return `  ${task} waiting for quota until ${until}Z${guess}`;
    }
    case 'approved':
      return `  ${task} retrying${attempt}, approved by you`;
    default:
      return why satisfies never;
  }
}

function answerLine({ checkpoint, approved, by, note }: EventOf<'checkpoint.answered'>): string {
  const who = by === 'mode' ? ' (auto mode)' : by === 'on-trouble' ? ' (--on-trouble reject)' : '';
  const words = note === undefined ? '' : `: ${oneLine(note, 200)}`;
  return `${checkpoint} ${approved ? 'approved' : 'rejected'}${who}${words}`;
}

function conflictList(conflicts: readonly string[]): string {
  if (conflicts.length === 0) return '';
  const more = conflicts.length > 5 ? ` and ${conflicts.length - 5} more` : '';
  return `; not applied: ${conflicts
    .slice(0, 5)
    .map((conflict) => oneLine(conflict, 160))
    .join('; ')}${more}`;
}

function attemptText(number: number): string {
  return number === 1 ? '' : ` (attempt ${number})`;
}

interface Claimed {
  readonly event: EventOf<'delegation.ended'>;
  readonly start: number | undefined;
}

function proofOf(id: string, state: RunState): string {
  const found = findTask(state, id)?.attempt?.verification;
  return found === null || found === undefined ? '' : `, ${proofText(found)}`;
}

function paths(conflicts: EventOf<'task.conflicted'>['conflicts']): string {
  const more = conflicts.length > 5 ? ` and ${conflicts.length - 5} more` : '';
  const shown = conflicts.slice(0, 5).map(({ path }) => oneLine(path, 100));
  return `${shown.join(', ')}${more}`;
}

function checkLine({ gate, commands }: EventOf<'gate.checked'>): string {
  const failed = commands.filter(isFailure);
  if (failed.length === 0) {
    const passed = commands.filter(({ ok }) => ok).map(({ argv }) => commandText(argv));
    const red = commands.filter(({ ok }) => !ok).map(({ argv }) => commandText(argv));
    if (passed.length === 0) return `  ${gate} checks on the merged work fail as at the base: ${red.join(', ')}`;
    return `  ${gate} checks passed on the merged work: ${passed.join(', ')}${red.length === 0 ? '' : `; known-red: ${red.join(', ')}`}`;
  }
  return `  ${gate} checks failed on the merged work: ${failed.map(({ argv, end }) => `${commandText(argv)} (${oneLine(end, 80)})`).join(', ')}`;
}

function endLine(
  { task, end, outcome, at }: EventOf<'delegation.ended'>,
  start: number | undefined,
  proof = '',
): string {
  const took = start === undefined ? '' : ` in ${shortDuration(at - start)}`;
  const repaired = outcome.repairs === 0 ? '' : `, after ${counted(outcome.repairs, 'repair')}`;
  const unsaid = outcome.degraded.filter((kind) => !proof.includes(kind));
  const degraded = unsaid.length === 0 ? '' : `, ${unsaid.join(', ')}`;
  const words = failureOf(outcome)?.message ?? outcome.summary;
  const status = end === 'timed-out' ? 'timed out, partial' : outcome.status;
  return `  ${task} ${status}${took}${repaired}${degraded}${proof}${words === '' ? '' : `: ${oneLine(words, 160)}`}`;
}

/** Only the stages that carry information. */
function stageLine({ stage, note }: EventOf<'stage.reached'>): string | undefined {
  return stage === 'routing' || stage === 'context' ? `${stage}: ${oneLine(note, 200)}` : undefined;
}
