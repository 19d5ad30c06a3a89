/**
 * Everything that can happen in a run, declared once. An event carries the facts it needs to be replayed alone, and a
 * version: a changed meaning is a new version, never a changed old one.
 *
 * Events are checked against these schemas when they are appended, not when they are folded.
 */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { type DivisiError, divisiError } from '../../base/error.ts';
import { delegationIdSchema, runIdSchema } from '../../base/ids.ts';
import { inWords } from '../../base/schema-words.ts';
import { statuses } from '../../contracts/status.ts';
import { delegationClasses } from '../../delegation/deadline.ts';
import { modes, tiers } from '../../plan/plan.ts';
import { amendmentSchema } from './amendment.ts';
import { checkpointOpenedSchema } from './checkpoint.ts';
import { type EventKind, eventKinds } from './event-kinds.ts';
import { outcomeSchema } from './outcome.ts';
import { budgetsSchema, plannedTaskSchema, taskIdSchema } from './planned-task.ts';
import { gateRoles } from './role.ts';
import { commandStages, featureParts, postflightFacts, workflowSchema } from './workflow.ts';
import {
  commandRunSchema,
  conflictSchema,
  verificationSchema,
  workspaceSchema,
  worktreeSchema,
} from './verification.ts';

const count = lazy(() => z.int().check(z.nonnegative()));
const time = count;
const text = lazy(() => z.string());

/** A delegation ends exactly once, in one of these ways. */
export const ends = ['returned', 'timed-out', 'cancelled', 'lost'] as const;
export type End = (typeof ends)[number];

export const runEnds = ['completed', 'failed', 'cancelled'] as const;
export type RunEnd = (typeof runEnds)[number];

/** `again`: as before, with an account of what failed. `waited`: a quota is there again. `approved`: a person said so. */
const retryReasons = ['again', 'escalated', 'waited', 'approved'] as const;

const kinds = {
  'run.created': () =>
    z.strictObject({
      run: runIdSchema,
      /** The version of the core that decides in this run. */
      core: count(),
      plan: z.strictObject({ file: text(), hash: text(), title: text(), goal: text() }),
      settings: z.strictObject({
        concurrency: z.int().check(z.positive()),
        driver: text(),
        command: z.optional(z.array(text())),
        repair: z.optional(z.array(text())),
        scenario: z.optional(text()),
        /** What runs the agents that review, where it is another command. */
        review: z.optional(z.array(text())),
        /** Seconds by class, where they differ from the defaults. */
        deadlines: z.partialRecord(z.enum(delegationClasses), count()),
        mode: z.enum(modes),
        /** Where the run begins, if it is not what is checked out. */
        baseBranch: z.optional(text()),
        budgets: budgetsSchema(),
        /** Agents do the work: waves are reviewed and failures have policies. False where a program brings its own. */
        gated: z.boolean(),
      }),
      waves: count(),
      checkpoints: z.array(z.strictObject({ afterWave: count(), why: text() })),
      /** Where agents work, each in a folder of its own; absent where a program brings its own way. */
      workspace: z.optional(workspaceSchema()),
      /** What was asked for, where no plan's file says it. */
      workflow: z.optional(workflowSchema()),
    }),
  /** A person has seen the plan in exactly this form: the commands in it may be run. */
  'plan.confirmed': () => z.strictObject({ hash: text() }),
  /** The tasks of a wave, or some of them: a large wave takes several of these. `number` is the plan's own for it. */
  'wave.planned': () =>
    z.strictObject({
      wave: count(),
      number: count(),
      title: text(),
      /** Of its reviewer. */
      reviewTier: z.enum(tiers),
      tasks: z.array(plannedTaskSchema()),
    }),
  /**
   * Work goes on: at the start, after a pause, after a crash, after a failed end. What did not complete is open again, unless
   * a person wants to go on without it.
   */
  'run.started': () =>
    z.strictObject({
      command: text(),
      skipFailed: z.optional(z.boolean()),
      audit: z.optional(z.boolean()),
      /** Seconds by class, in place of those that the run was made with, until it comes to rest. */
      deadlines: z.optional(z.partialRecord(z.enum(delegationClasses), count())),
    }),
  /** A command has come this far. `note` is one line for people: why this agent, how much context, what was refused. */
  'stage.reached': () => z.strictObject({ stage: z.enum(commandStages), note: text() }),
  /** What postflight has done, or why it could not. */
  'postflight.done': () => z.strictObject({ fact: z.enum(postflightFacts), done: z.boolean(), note: text() }),
  /** The next piece of a feature's phase. `round` counts how often this part of the phase has been asked for. */
  'step.added': () =>
    z.strictObject({
      wave: count(),
      feature: text(),
      phase: count(),
      part: z.enum(featureParts),
      round: z.int().check(z.positive()),
      task: plannedTaskSchema(),
    }),
  /** A conversation of a client conducts the run from here on: what is delegated, is delegated there. */
  'run.conducted': () => z.strictObject({ client: text(), session: text() }),
  /** Files of finished work are not what they were when it ended. */
  'work.drifted': () =>
    z.strictObject({
      /** Where the run's branch is now, if not where the run left it. */
      head: z.optional(text()),
      /** Commits that have come to it meanwhile and that no task made, if any. */
      foreign: z.optional(count()),
      files: z.array(z.strictObject({ path: text(), task: taskIdSchema(), found: z.enum(['changed', 'missing']) })),
    }),
  /** Work that had ended is open again, and everything that was said about it. */
  'work.reopened': () => z.strictObject({ tasks: z.array(taskIdSchema()), why: text() }),
  'wave.started': () => z.strictObject({ wave: count() }),
  'delegation.registered': () =>
    z.strictObject({
      delegation: delegationIdSchema,
      task: taskIdSchema(),
      attempt: z.int().check(z.positive()),
      agent: text(),
      tier: z.enum(tiers),
      class: z.enum(delegationClasses),
      path: z.array(text()),
      deadline: time(),
      /** See `work-key.ts`; absent where nobody asks what makes work the same. */
      key: z.optional(text()),
    }),
  /** The folder it works in is there. Making it does not count against its time. */
  'workspace.opened': () =>
    z.strictObject({ delegation: delegationIdSchema, worktree: worktreeSchema(), deadline: time() }),
  'delegation.started': () => z.strictObject({ delegation: delegationIdSchema, pid: z.optional(count()) }),
  /** What its client calls the conversation: by that it could be gone on with. */
  'conversation.opened': () => z.strictObject({ delegation: delegationIdSchema, driver: text(), id: text() }),
  /** The client asked whether its agent may do something. What it asked are an agent's words. */
  'permission.answered': () =>
    z.strictObject({
      delegation: delegationIdSchema,
      asked: text(),
      granted: z.boolean(),
      why: text(),
    }),
  /** The return was not accepted, and the same agent was asked for it again. */
  'return.refused': () =>
    z.strictObject({ delegation: delegationIdSchema, repair: count(), violations: z.array(text()) }),
  'delegation.ended': () =>
    z.strictObject({
      delegation: delegationIdSchema,
      task: taskIdSchema(),
      end: z.enum(ends),
      outcome: outcomeSchema(),
    }),
  /** A person takes work whose return could not be accepted: it is verified like any other. */
  'task.accepted': () => z.strictObject({ task: taskIdSchema() }),
  'task.verified': () =>
    z.strictObject({
      task: taskIdSchema(),
      delegation: delegationIdSchema,
      verification: verificationSchema(),
    }),
  /** Its work goes into the run's branch next. The commit takes its date from here, so that doing it twice gives the same one. */
  'merge.started': () => z.strictObject({ task: taskIdSchema(), delegation: delegationIdSchema }),
  'task.merged': () =>
    z.strictObject({
      task: taskIdSchema(),
      delegation: delegationIdSchema,
      commit: text(),
      /** Commits found on the branch that no task made, if any: a person's, or an agent's that went past everything. */
      foreign: z.optional(count()),
    }),
  /** It does not go together with what others have done meanwhile; or nothing goes into the branch, for a reason of the branch's own. */
  'task.conflicted': () =>
    z.strictObject({
      task: taskIdSchema(),
      delegation: delegationIdSchema,
      onto: text(),
      conflicts: z.array(conflictSchema()),
      branch: z.optional(text()),
    }),
  'task.settled': () => z.strictObject({ task: taskIdSchema(), status: z.enum(statuses) }),
  /** It failed, and has another attempt: at this tier, for this reason. */
  'task.retried': () => z.strictObject({ task: taskIdSchema(), tier: z.enum(tiers), why: z.enum(retryReasons) }),
  'task.skipped': () => z.strictObject({ task: taskIdSchema(), because: text() }),
  /** A gate asks for a review or a fix. `gate` is what it is about; `finding` the deferred one that it mends. */
  'task.added': () =>
    z.strictObject({
      wave: count(),
      role: z.enum(gateRoles),
      gate: text(),
      finding: z.optional(text()),
      task: plannedTaskSchema(),
    }),
  /** A review found something that can wait: it is in the plan, and a fixer gets it later. */
  'finding.deferred': () =>
    z.strictObject({ finding: text(), wave: count(), action: text(), report: z.optional(text()) }),
  /** The acceptance commands of a wave have run on the merged work, before anyone reviews it. */
  'gate.checked': () =>
    z.strictObject({ gate: text(), wave: count(), commit: text(), commands: z.array(commandRunSchema()) }),
  'wave.ended': () => z.strictObject({ wave: count(), status: z.enum(['completed', 'failed']) }),
  'checkpoint.opened': checkpointOpenedSchema,
  'checkpoint.answered': () =>
    z.strictObject({
      checkpoint: text(),
      approved: z.boolean(),
      note: z.optional(text()),
      by: z.enum(['person', 'mode']),
    }),
  /** What was asked is no question any more: the plan's file has changed again. */
  'checkpoint.withdrawn': () => z.strictObject({ checkpoint: text() }),
  /** Time enters here, and only when something waits for it. */
  'clock.reached': () => z.strictObject({ time: time() }),
  /** The plan of the run is another one now, by a person's hand. */
  'plan.amended': () => z.strictObject({ amendments: z.array(amendmentSchema()) }),
  /** What the plan's file is about to hold, and its name: so that a change by someone else can be told from our own. */
  'plan.written': () => z.strictObject({ file: text(), hash: text() }),
  /** Someone else changed the plan's file. What of it cannot be taken over is said, and left as it stands there. */
  'plan.changed': () => z.strictObject({ file: text(), hash: text(), conflicts: z.array(text()) }),
  'run.paused': () => z.strictObject({ reason: text(), for: z.enum(['stop', 'answer']) }),
  'run.ended': () => z.strictObject({ status: z.enum(runEnds) }),
} as const satisfies Readonly<Record<EventKind, () => z.ZodMiniType>>;

export type { EventKind };

/** `at` is the wall clock in milliseconds: for people, for what a budget of minutes has been spent on, and for nothing else. */
export type EventOf<K extends EventKind> = {
  [P in K]: { kind: P; version: 1; at: number } & z.infer<ReturnType<(typeof kinds)[P]>>;
}[K];
export type RunEvent = EventOf<EventKind>;
/** An event before it has a time. */
export type NewEvent = { [P in EventKind]: { kind: P } & z.infer<ReturnType<(typeof kinds)[P]>> }[EventKind];

export function stamp(event: NewEvent, at: number): RunEvent {
  return { ...event, version: 1, at };
}

const schemas = new Map<EventKind, z.ZodMiniType<RunEvent>>();

/** Made when it is first asked for: most who load this file check a few kinds, or none. */
function schemaOf(kind: EventKind): z.ZodMiniType<RunEvent> {
  const known = schemas.get(kind);
  if (known !== undefined) return known;
  const head = { kind: z.literal(kind), version: z.literal(1), at: time() };
  const body = kinds[kind]();
  const schema =
    body instanceof z.ZodMiniDiscriminatedUnion
      ? z.discriminatedUnion('type', checkpointOpenedSchema().def.options.map((one) => z.extend(one, head)) as never)
      : z.extend(body, head);
  const whole = schema as unknown as z.ZodMiniType<RunEvent>;
  schemas.set(kind, whole);
  return whole;
}

const isKind = (kind: unknown): kind is EventKind => eventKinds.some((one) => one === kind);

/** Any event, as `divisi events --json` prints it without its number and run. */
export function eventSchema(): z.ZodMiniType<RunEvent> {
  return z.union(eventKinds.map(schemaOf));
}

/** What is not exactly one of the events above is refused, with the place and the reason. */
export function checkEvent(event: unknown): RunEvent {
  const kind = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
  if (!isKind(kind)) throw invalidEvent(kind, `kind: no event is called ${String(kind).slice(0, 60)}`);
  const schema = schemaOf(kind);
  const parsed = schema.safeParse(event);
  if (parsed.success) return parsed.data;
  const [issue] = schema.safeParse(event, inWords).error?.issues ?? [];
  throw invalidEvent(kind, `${issue?.path.map(String).join('.') || kind}: ${issue?.message ?? ''}`);
}

function invalidEvent(kind: unknown, fault: string): DivisiError {
  return divisiError('EVENT_INVALID', {
    message: `not an event: ${fault}`,
    next: 'This is a bug in Divisi; nothing was written. Please report it with this message.',
    ids: typeof kind === 'string' ? { kind: kind.slice(0, 60) } : {},
  });
}
