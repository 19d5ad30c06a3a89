/** Handles the end of an architect run: shows its plan, asks its questions, or reports faults; may start the plan. */
import { confirmationHash, trustOf } from '../../project/trust/trust.ts';
import { workflowAs } from '../../core/event/run-kind.ts';
import { failureOf } from '../../core/event/make-outcome.ts';
import { defined } from '../../base/defined.ts';
import { join, relative } from 'node:path';
import { plannedAgents } from '../../agents/registry.ts';
import { oneLine } from '../../base/text.ts';
import { architectFaults } from '../../core/workflow/architect-plan.ts';
import { questionsIn } from '../../core/workflow/architect-questions.ts';
import type { Outcome } from '../../core/event/outcome.ts';
import type { RunState } from '../../core/state/state.ts';
import { shellWord } from '../../plan/values/command-words.ts';
import { architectTask, withAnswers } from '../../runtime/plans/architect-task.ts';
import { storeArchitectPlan, readArchitectPlan } from '../../runtime/plans/store-architect-plan.ts';
import { readProposed } from '../../runtime/plans/plan-run.ts';
import { loadRoles } from '../../workspace/load-roles.ts';
import { terminalJsonLine } from '../../views/text/escape.ts';
import { type ProposedPlan, proposedText } from '../../views/run/proposed-plan.ts';
import { ask, askEach, isTerminal } from '../ask.ts';
import { type Answer, exitCodes } from '../output.ts';
import { startPlan, type StartSettings } from './start-plan.ts';

export interface Planning {
  readonly settings: StartSettings;
  /** `show`: starts nothing. `run`: starts the plan after a yes, in auto mode without one. */
  readonly then: 'show' | 'run';
  /** Asks the architect again with an extended description. */
  readonly again: (request: string) => Promise<Answer>;
}

/** Undefined if the run was paused or cancelled. */
export async function afterArchitect(
  project: string,
  state: RunState,
  planning: Planning,
): Promise<Answer | undefined> {
  if (state.status === 'completed') return propose(project, state, planning);
  if (state.status !== 'failed') return undefined;
  const progress = state.tasks.get(architectTask)?.progress;
  const outcome = progress !== undefined && 'outcome' in progress ? progress.outcome : undefined;
  const text = (await readArchitectPlan(project, state)) ?? '';
  const questions = outcome?.status === 'blocked' && failureOf(outcome)?.class === 'unclear' ? questionsIn(text) : [];
  if (questions.length > 0) return inquire(state, questions, planning);
  return refuse(project, state, outcome, text, planning);
}

const canAsk = ({ settings }: Pick<Planning, 'settings'>): boolean => !settings.json && isTerminal();

function sayLine({ settings }: Pick<Planning, 'settings'>, fact: Readonly<Record<string, unknown>>): void {
  if (settings.json) process.stdout.write(`${terminalJsonLine(fact)}\n`);
}

async function propose(project: string, state: RunState, planning: Planning): Promise<Answer> {
  const { run } = state.created;
  return proposePlan(project, await storeArchitectPlan(project, state), { ...planning, run });
}

/** Shows a plan that no person has written or named, and starts it as `planning` says. */
export async function proposePlan(
  project: string,
  file: string,
  planning: Pick<Planning, 'settings' | 'then'> & { readonly run?: string },
): Promise<Answer> {
  const { settings, run } = planning;
  const proposed = await readProposed(join(project, file), { project, ...settings });
  sayLine(planning, { ...defined({ run }), kind: 'plan.proposed', ...proposed });
  const command = `divisi run ${shellWord(relative(process.cwd(), join(project, file)))}`;
  const text = `\n${proposedText(proposed)}\n`;
  if (planning.then === 'show')
    return said(0, `${text}\nnothing was started. Edit ${file} if you like; then: ${command}`);
  if (settings.mode === 'auto') {
    if (!settings.json) process.stdout.write(`${text}\nnot approved: its own commands are not run\n`);
    return startPlan(project, join(project, file), file, { ...settings, confirmed: 'none' });
  }
  if (!canAsk(planning)) {
    return said(
      exitCodes.needsAnswer,
      `${text}\nnothing was started: a person must approve it first. Then: ${command}`,
    );
  }
  return decide(project, proposed, planning, command);
}

const said = (code: Answer['code'], text: string): Answer => ({ code, json: undefined, text });

/** A yes covers what was shown: a plan changed since is shown again. */
async function decide(
  project: string,
  first: ProposedPlan,
  { settings }: Pick<Planning, 'settings'>,
  command: string,
): Promise<Answer> {
  const file = join(project, first.file);
  let proposed = first;
  for (;;) {
    process.stdout.write(`\n${proposedText(proposed)}\n\n`);
    const choices = ['run it', 'edit it first'];
    const choice = await ask({ about: `The plan is in ${proposed.file}.`, choices });
    if (choice === 1) return said(exitCodes.valid, `nothing was started. Edit ${proposed.file}; then: ${command}`);
    if (choice !== 0) return said(exitCodes.cancelled, `nothing was started. To run it later: ${command}`);
    const now = await readProposed(file, { project, ...settings });
    if (now.hash === proposed.hash) {
      const confirmed = confirmationHash(proposed.hash, trustOf({ project, environment: process.env }));
      return startPlan(project, file, proposed.file, { ...settings, confirmed });
    }
    proposed = now;
    process.stdout.write('\nthe plan was changed meanwhile; it is now:\n');
  }
}

/** Answers start a new architect run; the record of the first one is unchanged. */
async function inquire(state: RunState, questions: readonly string[], planning: Planning): Promise<Answer> {
  const request = workflowAs(state.created, 'architect')?.request ?? '';
  sayLine(planning, { run: state.created.run, kind: 'plan.unclear', questions });
  const about = `The architect needs to know more before it can plan "${oneLine(request, 200)}":`;
  if (canAsk(planning)) {
    const answers = await askEach(about, questions);
    const answered = answers.flatMap((answer, at) =>
      answer === '' ? [] : [{ question: questions[at] ?? '', answer }],
    );
    if (answered.length > 0) return planning.again(withAnswers(request, answered));
  }
  const list = questions.map((question, at) => `  ${at + 1}  ${question}`);
  const next = 'Run it again with the answers: divisi plan "…"';
  return said(exitCodes.needsAnswer, ['', about, ...list, '', next].join('\n'));
}

/** A one-line return has only a status and a path. */
function reasonOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'the architect has not returned';
  const failure = failureOf(outcome);
  if (failure !== undefined && failure.message !== outcome.summary) return failure.message;
  return `the architect reports ${outcome.status}`;
}

const mostFaults = 20;

async function refuse(
  project: string,
  state: RunState,
  outcome: Outcome | undefined,
  text: string,
  planning: Planning,
): Promise<Answer> {
  const { run } = state.created;
  const isRefused = failureOf(outcome)?.class === 'contract-violation';
  const known = isRefused && text !== '' ? plannedAgents((await loadRoles(project)).agents) : [];
  const faults = known.length === 0 ? [] : architectFaults(text, known);
  const why = reasonOf(outcome);
  sayLine(planning, { run, kind: 'plan.refused', why, faults, report: outcome?.report ?? null });
  const lines = faults.slice(0, mostFaults).map(({ line, message }) => `  line ${line}: ${oneLine(message, 300)}`);
  const rest = faults.length - lines.length;
  return said(
    exitCodes.failed,
    [
      '',
      `${run}: no plan: ${oneLine(faults.length === 0 ? why : "the architect's plan is invalid", 400)}`,
      ...lines,
      ...(rest > 0 ? [`  and ${rest} more`] : []),
      ...(outcome?.report === undefined ? [] : [`report: ${outcome.report}`]),
      `divisi resume ${run} tries again`,
    ].join('\n'),
  );
}
