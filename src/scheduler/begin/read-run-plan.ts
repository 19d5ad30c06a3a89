/** Reads and checks a plan for a run, and works out the run's settings. */
import type { UnmergedRun } from '../../run-work/unmerged-marks.ts';
import { unmergedLines } from './unmerged-lines.ts';
import { defined } from '../../base/defined.ts';
import { defaultAgent } from '../../agents/registry.ts';
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Agents, checkAgents, plainName } from '../../agents/registry.ts';
import type { Config } from '../../config/config.ts';
import { divisiError } from '../../base/error.ts';
import type { RunId } from '../../base/ids.ts';
import { leadsOut } from '../../base/paths.ts';
import type { EventOf } from '../../core/event/event.ts';
import { isOver } from '../../core/state/state.ts';
import { classesOf, classFor, deadlines as usual, secondsFor } from '../../delegation/deadline.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import { loadPlan } from '../../plan/parse-plan.ts';
import type { Plan, PlanSettings } from '../../plan/plan.ts';
import type { RunSpec } from './begin-run.ts';
import { planEvents } from './plan-events.ts';
import { isSamePlan, readPlanText } from '../../project/plan-file.ts';
import { hashText } from '../../workspace/hash-text.ts';
import { withTiers } from './plan-events.ts';
import { shownStatusOf } from '../../project/shown-status-of.ts';

export interface PlanRequest {
  readonly project: string;
  /** Absolute. */
  readonly file: string;
  /** The text of a file that does not exist yet; absent where it does. */
  readonly text?: string;
  readonly config: Config;
  readonly agents: Agents;
  /** From the command line, which overrides the plan; the plan overrides the config. */
  readonly concurrency?: number;
  readonly driver?: string;
  readonly mode?: PlanSettings['mode'];
}

/** The agents that gates delegate to. */
const gateAgents = ['wave-reviewer', 'fixer'];

type Settings = EventOf<'run.created'>['settings'];

export interface ReadPlan {
  readonly file: string;
  readonly hash: string;
  readonly plan: Plan;
  readonly settings: Settings;
}

export async function readRunPlan(request: PlanRequest): Promise<ReadPlan> {
  const file = await pathInside(request.project, request.file);
  const text = request.text ?? (await readPlanText(join(request.project, file), file)).text;
  const plan = withTiers(loadPlan(text, file).plan, request.agents);
  checkAgents(request.agents, [...agentsOf(plan), ...gateAgents, ...reviewersOf(plan)]);
  refuseUnknownReviewer(request.agents, plan, file);
  return { file, hash: hashText(text), plan, settings: settingsFor(plan, request) };
}

const agentsOf = ({ waves }: Plan): Set<string> =>
  new Set(waves.flatMap(({ tasks }) => tasks.map(({ agent = defaultAgent }) => agent)));

const reviewersOf = ({ waves }: Plan): string[] => waves.flatMap(({ reviewer }) => reviewer?.agent ?? []);

/** A reviewer without instructions would not be the one that the plan means. */
function refuseUnknownReviewer({ byName }: Agents, plan: Plan, file: string): void {
  const agent = reviewersOf(plan).find((name) => !byName.has(plainName(name)));
  if (agent === undefined) return;
  throw divisiError('AGENT_UNKNOWN', {
    message: `${file} names the reviewer ${agent}, but no agent has that name`,
    expected: `a built-in agent, or a file .divisi/agents/${agent}.md`,
    got: agent,
    next: `Write its instructions to .divisi/agents/${agent}.md (docs/agents.md), or name a tier; \`divisi agents\` lists all agents.`,
    ids: { agent, file },
  });
}

/** The real path: a symlink may lead into the project or out of it. */
export async function pathInside(project: string, file: string): Promise<string> {
  const real = await realpath(file).catch(() => file);
  const path = relative(await realpath(project), real);
  if (!leadsOut(path)) return path.split(sep).join('/');
  throw divisiError('PLAN_UNREADABLE', {
    message: `${file} is outside the project ${project}`,
    next: 'Move the plan into the project, or run divisi in the folder of its project.',
    ids: { file },
  });
}

function settingsFor(plan: Plan, { config, concurrency, driver, mode }: PlanRequest): Settings {
  const { settings } = plan;
  const { command, repair, review, returns, scenario } = ownDriver(settings, driver);
  const name = driver ?? settings.driver ?? (command === undefined ? undefined : 'command');
  const chosen = name ?? (scenario === undefined ? config.driver : 'scripted');
  const own = classesOf(config.classes);
  const classes = new Set([...agentsOf(plan)].map((agent) => classFor(agent, own)));
  const deadlines: Settings['deadlines'] = {};
  for (const kind of classes) {
    const seconds = secondsFor(kind, settings.deadline ?? config.deadlines[kind]);
    if (seconds !== usual[kind].default) deadlines[kind] = seconds;
  }
  // A plan's deadline is meant for its tasks: for the agents of gates it is capped, not refused.
  for (const kind of gateAgents.map((agent) => classFor(agent, { ...own, does: 'review' }))) {
    if (deadlines[kind] !== undefined || classes.has(kind)) continue;
    const asked = config.deadlines[kind] ?? settings.deadline;
    if (asked !== undefined) deadlines[kind] = Math.min(asked, usual[kind].most);
  }
  return {
    concurrency: concurrency ?? settings.concurrency ?? config.concurrency,
    driver: chosen ?? '',
    ...(command === undefined ? {} : { command: [...command] }),
    ...(repair === undefined ? {} : { repair: [...repair] }),
    ...defined({ scenario }),
    ...(review === undefined ? {} : { review: [...review] }),
    ...defined({ reviews: settings.reviews }),
    ...defined({ returns }),
    deadlines,
    ...classesOf(config.classes),
    mode: mode ?? settings.mode ?? 'default',
    ...defined({ baseBranch: settings.baseBranch }),
    budgets: settings.budgets,
    gated: true,
  };
}

/** The plan's driver settings apply unless the command line names another driver. */
function ownDriver(settings: PlanSettings, asked: string | undefined): Partial<PlanSettings> {
  const { command, repair, review, returns, scenario } = settings;
  const own = asked === undefined || asked === 'command';
  return {
    ...(own && command !== undefined ? { command } : {}),
    ...(own && repair !== undefined ? { repair } : {}),
    ...(own && review !== undefined ? { review } : {}),
    ...(own && returns !== undefined ? { returns } : {}),
    ...((asked === undefined || asked === 'scripted') && scenario !== undefined ? { scenario } : {}),
  };
}

/** Refuses a second unfinished run of a plan, which would repeat the same work. */
export function checkNoneUnfinished(ledger: LedgerReader, file: string, except?: RunId): void {
  if (file === '') return;
  const found = ledger
    .runs()
    .find(({ run, status, planFile }) => run !== except && !isOver(status) && isSamePlan(planFile, file));
  if (found === undefined) return;
  throw divisiError('RUN_UNFINISHED', {
    message: `${file} has an unfinished run: ${found.run} (${shownStatusOf(ledger, found)})`,
    next: `\`divisi resume ${found.run}\` resumes it; to start over, \`divisi cancel ${found.run}\` ends it first.`,
    ids: { run: found.run, file },
  });
}

/** Refuses a plan without open tasks: its run would only hide the one that did the work. */
export function checkAnyOpen({ file, plan }: ReadPlan, unmerged: readonly UnmergedRun[] = []): void {
  if (plan.waves.some(({ tasks }) => tasks.some(({ mark }) => mark !== 'x'))) return;
  const finished = `every task of ${file} is ticked: there is nothing to run`;
  const missing = ['But the work of some is not where a run would start:', ...unmergedLines(unmerged)];
  throw divisiError('PLAN_FINISHED', {
    message: unmerged.length === 0 ? finished : [finished, ...missing].join('\n'),
    expected: 'a task that is not marked [x]',
    next:
      unmerged.length === 0
        ? 'Set the mark of tasks to repeat to [ ]. `divisi list` shows runs; `divisi resume RUN from wave N` repeats the work of one.'
        : `${mergeFirst(unmerged)}\`--marks again\` does these tasks again.`,
    ids: { file },
  });
}

function mergeFirst(unmerged: readonly UnmergedRun[]): string {
  const kept = unmerged.find(({ head }) => head !== undefined);
  return kept === undefined ? '' : `\`divisi merge ${kept.run} --yes\` merges it into your checkout. `;
}

/** The spec of a plan's run; a plan with an unfinished run is refused in the transaction that creates another. */
export function planSpec(
  read: ReadPlan,
  ledger: LedgerReader,
  { workspace, isConfirmed }: Required<Pick<RunSpec, 'workspace'>> & { readonly isConfirmed: boolean },
): RunSpec {
  return {
    workspace,
    events: (run, facts) => planEvents({ run, isConfirmed, ...read, ...defined({ workspace: facts }) }),
    check: () => checkNoneUnfinished(ledger, read.file),
  };
}

/** Refuses agent commands of an unconfirmed plan. */
export function refuseOwnAgents({ file, settings: { command, repair, review } }: ReadPlan): void {
  if (command === undefined && repair === undefined && review === undefined) return;
  throw divisiError('PLAN_UNCONFIRMED', {
    message: `${file} runs its own commands as agents, and no person has confirmed it`,
    next: 'Ask the person: they can start it in a terminal, `divisi run PLAN`.',
    ids: { file },
  });
}
