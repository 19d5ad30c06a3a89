/** Composition root: starts, resumes, stops and answers the runs of a project for every front door. */
import { resolve } from 'node:path';
import { type GivenOptions, withDefaults } from './given-options.ts';
import { behaviourOf } from './run-behaviour.ts';
import { defined } from '../base/defined.ts';
import { checkAgents } from '../agents/registry.ts';
import type { CommandRequest } from '../commands/command-request.ts';
import { runStages } from '../commands/run-stages.ts';
import { divisiError } from '../base/error.ts';
import { rulesOf } from '../core/event/run-kind.ts';
import type { RunState, RunStatus } from '../core/state/state.ts';
import { postflightFacts } from '../core/event/workflow-step.ts';
import type { Lease } from '../ledger/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { answerEvents, type CheckpointAnswer, chooseCheckpoints } from '../core/decide/answer-events.ts';
import { whyOf } from '../core/state/checkpoint-why.ts';
import { beginRun } from '../scheduler/begin/begin-run.ts';
import { decideMarks, type MarkAnswer } from '../scheduler/begin/decide-marks.ts';
import { unmergedMarks } from './plans/unmerged-marks.ts';
import {
  checkAnyOpen,
  checkNoneUnfinished,
  planSpec,
  readRunPlan,
  refuseOwnAgents,
} from '../scheduler/begin/read-run-plan.ts';
import { answerConducted, stopConducted } from './conducted/conduct-run.ts';
import { noHooks, runAgents, type RunOptions } from '../scheduler/agent-run.ts';
import { runDriver } from '../scheduler/starting-means.ts';
import { withLedger } from '../project/project-ledger.ts';
import { unconfirmedCommands } from '../core/decide/accept-commands.ts';
import { foldRun } from '../ledger/fold-run.ts';
import type { PlanOptions } from './plans/plan-run.ts';
import { confirmationHash } from '../project/trust/trust.ts';
import { loadTrusted } from '../project/trust/load-trusted.ts';
import { reconcile } from '../scheduler/reconcile.ts';
import { commitQueue } from '../ledger/commit-queue.ts';
import { finishViews, recordWithoutDriver, showTo } from './record-without-driver.ts';
import type { ResumeFrom } from '../project/resume-words.ts';
import { stopEvents } from '../scheduler/reconcile.ts';
import { systemClock } from '../engine/clock.ts';
import { unwrittenLog } from '../scheduler/plan-file/open-plan-view.ts';
import { livingHolder, withLease } from '../project/with-lease.ts';
import type { RunStart } from '../scheduler/run-session.ts';

export type { RunControls } from '../scheduler/run-session.ts';
export type { RunOptions } from '../scheduler/agent-run.ts';

export interface NewRunOptions extends GivenOptions, PlanOptions {
  /** What a person has confirmed (`confirmationHash`): commands of any other plan are not run. Absent where a person starts the run. */
  readonly confirmed?: string;
  /** What becomes of ticks whose work is not in the base. Without it, such a plan is refused (`MARKS_UNMERGED`). */
  readonly marks?: MarkAnswer;
}

export interface ResumeOptions extends GivenOptions {
  /** Repeats everything from there on, whatever its result. */
  readonly from?: ResumeFrom;
  /** Continues without the tasks that failed. */
  readonly skipFailed?: boolean;
  /** Asks an agent to audit completed work first. */
  readonly audit?: boolean;
  /** A person has named the plan in a terminal: its commands run from now on. */
  readonly confirms?: boolean;
  /** Seconds by class; replaces the deadlines the run was created with. */
  readonly deadlines?: RunStart['deadlines'];
}

/** Runs a plan until the run has ended or is paused. `file` is absolute, or relative to the project. */
export async function runPlan(path: string, given: NewRunOptions): Promise<RunState> {
  const options = withDefaults(given);
  const file = resolve(options.project, path);
  const { project, environment, concurrency, driver: asked, mode } = options;
  const settled = await loadTrusted(options);
  const { config, agents } = settled;
  const more = {
    ...defined({ concurrency, driver: asked, mode }),
  };
  const read = await readRunPlan({ project, file, config, agents, ...more });
  const { settings } = read;
  const isConfirmed =
    options.confirmed === undefined || options.confirmed === confirmationHash(read.hash, settled.trust);
  if (!isConfirmed) refuseOwnAgents(read);
  const driver = await runDriver(settings, settled, options);
  return withLedger(project, async (ledger) => {
    checkNoneUnfinished(ledger, read.file);
    const { marks } = options;
    const unmerged = await unmergedMarks(ledger, read, options);
    if (marks !== 'again') checkAnyOpen(read, unmerged);
    const decided = decideMarks(read, unmerged, marks);
    checkAnyOpen(decided.read);
    const { baseBranch } = read.plan.settings;
    const { buildsOn } = decided;
    const workspace = { kind: 'rooms', project, environment, config, own: [read.file], baseBranch, buildsOn } as const;
    const spec = planSpec(decided.read, ledger, { workspace, isConfirmed });
    return beginRun(spec, { ...options, ledger }, ({ state, lease }) =>
      runAgents(state, { ledger, lease, driver, settled, options, hooks: noHooks }),
    );
  });
}

/** Resumes a run that was interrupted, paused, or ended without completing. */
export async function resumeRun(row: RunRow, given: ResumeOptions): Promise<RunState> {
  const options = withDefaults(given);
  const { project, from, skipFailed, audit, deadlines } = options;
  const settled = await loadTrusted(options);
  return withLedger(project, (ledger) =>
    withLease(ledger, row.run, options, async (lease) => {
      const log = unwrittenLog();
      const state = foldRun(ledger, row.run, log.seen);
      const behaviour = behaviourOf(state);
      behaviour.checkResume(state, ledger);
      if (state.status === 'completed' && behaviour.isUnfinished(state)) {
        return finishCommand(state, { ledger, lease, options });
      }
      if (state.status === 'completed' && from === undefined) {
        await finishViews(
          state,
          showTo(options, commitQueue(state, { lease, clock: systemClock })),
          log.lines(),
          options,
        );
        throw divisiError('RUN_ENDED', {
          message: `${row.run} has completed; there is nothing to resume`,
          next: `\`divisi report ${row.run}\` shows what was done; ${repeatText(state)}.`,
          ids: { run: row.run },
        });
      }
      checkNoneUnfinished(ledger, state.planFile, row.run);
      checkAgents(settled.agents, new Set(Array.from(state.tasks.values(), ({ planned }) => planned.agent)));
      const driver = await runDriver(state.created.settings, settled, options);
      const start = defined({ skipFailed, audit, deadlines });
      if (options.confirms === true && unconfirmedCommands(state) > 0) {
        const { hash } = state.created.plan;
        commitQueue(state, { lease, clock: systemClock }).commit([{ kind: 'plan.confirmed', hash }]);
      }
      const resumed = { unwritten: log.lines(), start, ...defined({ from, skipFailed }) };
      const hooks = behaviour.hooks(state, ledger, options);
      return runAgents(state, { ledger, lease, driver, settled, options, hooks, resumed });
    }),
  );
}

/** Steps that grow out of each other cannot be repeated. */
function repeatText({ created }: RunState): string {
  if (rulesOf(created).grows) return '`divisi feature "…"` starts a new run';
  return `\`divisi resume ${created.run} from wave 1\` repeats it; \`divisi run PLAN\` starts a new run`;
}

/** Repeats the last steps of a command: an earlier obstacle may be gone. */
async function finishCommand(
  state: RunState,
  { ledger, lease, options }: { readonly ledger: Ledger; readonly lease: Lease; readonly options: RunOptions },
): Promise<RunState> {
  const { postflight } = behaviourOf(state).hooks(state, ledger, options);
  const { commit } = showTo(options, commitQueue(state, { lease, clock: systemClock }));
  for (const fact of postflightFacts) commit([{ kind: 'postflight.done', fact, ...(await postflight(fact)) }]);
  return state;
}

/** Runs a command on a backlog task: in a new run, or in the one it left unfinished. */
export async function runTaskCommand(request: CommandRequest, options: RunOptions): Promise<RunState> {
  return runStages(request, options, {
    resume: (row, deadlines) => resumeRun(row, { ...options, ...defined({ deadlines }) }),
    cancel: async (row) => void (await stopRun(row, 'cancel', options)),
    finish: ({ run }) =>
      withLedger(options.project, (ledger) =>
        withLease(ledger, run, options, (lease) => finishCommand(foldRun(ledger, run), { ledger, lease, options })),
      ),
  });
}

/** Stops a run: asks the process that works on it (true), or records the stop where there is none (false). */
export async function stopRun(row: RunRow, how: 'pause' | 'cancel', options: RunOptions): Promise<boolean> {
  return withLedger(options.project, async (ledger) => {
    if (row.kind === 'conducted') {
      stopConducted(row.run, how, { ledger });
      return false;
    }
    if (livingHolder(ledger, row.run, options.takeOver) !== null) {
      ledger.tell(row.run, { kind: how });
      return true;
    }
    await recordWithoutDriver(ledger, row.run, options, (state, recover) => stopEvents(state, how, recover));
    return false;
  });
}

/** Answers checkpoints: passes the answer to the process that works on the run, or records it where there is none. */
export async function answerRun(
  row: RunRow,
  answer: CheckpointAnswer,
  given: GivenOptions,
): Promise<{ readonly delivered: boolean; readonly status: RunStatus; readonly answered: readonly Answered[] }> {
  const options = withDefaults(given);
  return withLedger(options.project, async (ledger) => {
    const { run } = row;
    let answered: readonly Answered[] = [];
    const choose = (state: RunState): void => {
      answered = chooseCheckpoints(state, answer).map((one) => ({ checkpoint: one.id, why: whyOf(state, one) }));
    };
    const before = foldRun(ledger, run);
    if (row.kind === 'conducted') {
      choose(before);
      return { delivered: false, status: answerConducted(run, answer, { ledger }).status, answered };
    }
    if (livingHolder(ledger, run, options.takeOver) !== null) {
      const { approved, note } = answer;
      choose(before);
      for (const { checkpoint } of answered) {
        ledger.tell(run, { kind: 'answer', checkpoint, approved, ...defined({ note }) });
      }
      return { delivered: true, status: 'running', answered };
    }
    const state = await recordWithoutDriver(ledger, run, options, async (found, recover) => {
      choose(found);
      return [...(await reconcile(found, recover)), ...answerEvents(found, answer)];
    });
    return { delivered: false, status: state.status, answered };
  });
}

/** A checkpoint and its question. */
interface Answered {
  readonly checkpoint: string;
  readonly why: string;
}
