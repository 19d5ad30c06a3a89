/**
 * Event: everything that can happen in a run, declared once. An event carries all facts needed to replay it, and a
 * version: a changed meaning is a new version, never a change to an old one.
 * Events are checked against these schemas when they are appended, and when a process first reads them.
 */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { delegationIdSchema, runIdSchema } from '../../base/ids.ts';
import { inWords } from '../../base/schema-words.ts';
import { statuses } from '../../contracts/status.ts';
import { delegationClasses } from '../../delegation/deadline.ts';
import { commandReturns } from '../../contracts/return-way.ts';
import { modes, tiers } from '../../plan/plan.ts';
import { amendmentSchema } from './amendment.ts';
import { baseCheckSchema } from './base-check.ts';
import { conductorHeldSchema, conductorLeftSchema, runConductedSchema } from './conducting.ts';
import { checkpointOpenedSchema, troubleAnswers } from './checkpoint.ts';
import { type EventKind, eventKinds } from './event-kinds.ts';
import { commitSchema } from './git-names.ts';
import { invalidEvent } from './invalid-event.ts';
import { outcomeSchema } from './outcome.ts';
import { budgetsSchema, plannedTaskSchema, taskIdSchema } from './planned-task.ts';
import { gateRoles } from './role.ts';
import { driftedFileSchema, updateRefusedSchema, updateRequestedSchema, workspaceUpdatedSchema } from './update.ts';
import { commandStages, postflightFacts, featureParts } from './workflow-step.ts';
import { workflowSchema } from './workflow.ts';
import { commandRunSchema, conflictSchema, verificationSchema, workspaceSchema, roomSchema } from './verification.ts';

const count = lazy(() => z.int().check(z.nonnegative()));
const text = lazy(() => z.string());

/** A delegation ends exactly once, in one of these ways. */
export const ends = ['returned', 'timed-out', 'cancelled', 'lost'] as const;
export type End = (typeof ends)[number];

export const runEnds = ['completed', 'failed', 'cancelled'] as const;
export type RunEnd = (typeof runEnds)[number];

/** `again`: same tier, with an account of the failure. `waited`: the quota has reset. `approved`: by a person. */
const retryReasons = ['again', 'escalated', 'waited', 'approved'] as const;

const kinds = {
  'run.created': () =>
    z.strictObject({
      run: runIdSchema,
      /** Version of the core that decides in this run. */
      core: count(),
      plan: z.strictObject({ file: text(), hash: text(), title: text(), goal: text() }),
      settings: z.strictObject({
        concurrency: z.int().check(z.positive()),
        driver: text(),
        command: z.optional(z.array(text())),
        repair: z.optional(z.array(text())),
        scenario: z.optional(text()),
        /** Command that runs the reviewing agents, if different. */
        review: z.optional(z.array(text())),
        /** The waves and the whole run are not reviewed; acceptance commands still run on the merged work. */
        reviews: z.optional(z.literal('off')),
        /** What the command must give back, if the plan says so. */
        returns: z.optional(z.enum(commandReturns)),
        /** Seconds by class, where they differ from the defaults. */
        deadlines: z.partialRecord(z.enum(delegationClasses), count()),
        /** Classes of agents by name, from the config. */
        classes: z.optional(z.record(text(), z.enum(delegationClasses))),
        mode: z.enum(modes),
        /** Branch the run starts from, if not the one checked out. */
        baseBranch: z.optional(text()),
        budgets: budgetsSchema(),
        /** Waves are reviewed and failure policies apply. False for a program that brings its own workers. */
        gated: z.boolean(),
      }),
      waves: count(),
      checkpoints: z.array(z.strictObject({ afterWave: count(), why: text() })),
      /** Absent for a program that brings its own workers. */
      workspace: z.optional(workspaceSchema()),
      /** Absent for a run of a plan file. */
      workflow: z.optional(workflowSchema()),
    }),
  /** A person has seen exactly this version of the plan, so its commands may run. */
  'plan.confirmed': () => z.strictObject({ hash: text() }),
  /** All or some tasks of a wave: a large wave takes several events. `number` is the plan's number for it. */
  'wave.planned': () =>
    z.strictObject({
      wave: count(),
      number: count(),
      title: text(),
      /** Tier of the wave's reviewer. */
      reviewTier: z.enum(tiers),
      /** The agent that reviews it; absent for the usual one. */
      reviewer: z.optional(text()),
      tasks: z.array(plannedTaskSchema()),
    }),
  /**
   * The run starts or resumes: the first time, after a pause, a crash, or a failed end. Tasks that did not complete
   * are open again, unless a person skips them.
   */
  'run.started': () =>
    z.strictObject({
      command: text(),
      skipFailed: z.optional(z.boolean()),
      audit: z.optional(z.boolean()),
      /** Seconds by class, in place of the run's settings until it next pauses or ends. */
      deadlines: z.optional(z.partialRecord(z.enum(delegationClasses), count())),
      /** Until the run next pauses or ends; absent: a person is asked. */
      onTrouble: z.optional(z.enum(troubleAnswers)),
    }),
  /** A task command has reached this stage. `note` is one line for people. */
  'stage.reached': () => z.strictObject({ stage: z.enum(commandStages), note: text() }),
  /** The result of one postflight step, or the reason it failed. */
  'postflight.done': () => z.strictObject({ fact: z.enum(postflightFacts), done: z.boolean(), note: text() }),
  /** The next step of a feature's phase. `round` counts the requests for this part of the phase. */
  'step.added': () =>
    z.strictObject({
      wave: count(),
      feature: text(),
      phase: count(),
      part: z.enum(featureParts),
      round: z.int().check(z.positive()),
      task: plannedTaskSchema(),
    }),
  'run.conducted': runConductedSchema,
  'conductor.held': conductorHeldSchema,
  'conductor.left': conductorLeftSchema,
  /** A person wants a newer base, newer settings or both; taken over between two merges. */
  'update.requested': updateRequestedSchema,
  /** From here on, rooms and commands have the requested facts. */
  'workspace.updated': workspaceUpdatedSchema,
  /** Nothing has changed. */
  'update.refused': updateRefusedSchema,
  /** Files of finished work have changed since it ended. In a shared checkout this is the whole list: empty once nothing differs. */
  'work.drifted': () =>
    z.strictObject({
      /** Tip of the run's branch, if it has moved. */
      head: z.optional(commitSchema()),
      /** New commits on the branch that no task made. */
      foreign: z.optional(count()),
      files: z.array(driftedFileSchema()),
    }),
  /** Files of a shared checkout have changed while these tasks were at work; nothing says who changed them. */
  'work.unattributed': () => z.strictObject({ files: z.array(text()), tasks: z.array(taskIdSchema()) }),
  /** Finished work is open again; its reviews and questions are void. */
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
      deadline: count(),
      /** See `work-key.ts`; absent where work is not compared by content. */
      key: z.optional(text()),
    }),
  /** The delegation's room is ready. Creating it does not count against the deadline. */
  'workspace.opened': () => z.strictObject({ delegation: delegationIdSchema, room: roomSchema(), deadline: count() }),
  'delegation.started': () => z.strictObject({ delegation: delegationIdSchema, pid: z.optional(count()) }),
  /** The client's id for the conversation, with which it could be resumed. */
  'conversation.opened': () => z.strictObject({ delegation: delegationIdSchema, driver: text(), id: text() }),
  /** The client asked for permission on behalf of its agent. `asked` is in the agent's words. */
  'permission.answered': () =>
    z.strictObject({
      delegation: delegationIdSchema,
      asked: text(),
      granted: z.boolean(),
      why: text(),
    }),
  /** The return was refused, and the same agent was asked for another one. */
  'return.refused': () =>
    z.strictObject({ delegation: delegationIdSchema, repair: count(), violations: z.array(text()) }),
  'delegation.ended': () =>
    z.strictObject({
      delegation: delegationIdSchema,
      task: taskIdSchema(),
      end: z.enum(ends),
      outcome: outcomeSchema(),
    }),
  /** A person accepts work whose return was invalid; it is verified like any other. */
  'task.accepted': () => z.strictObject({ task: taskIdSchema() }),
  'task.verified': () =>
    z.strictObject({
      task: taskIdSchema(),
      delegation: delegationIdSchema,
      verification: verificationSchema(),
    }),
  /** The task is merged next. This event dates the commit, so merging twice gives the same commit. */
  'merge.started': () => z.strictObject({ task: taskIdSchema(), delegation: delegationIdSchema }),
  'task.merged': () =>
    z.strictObject({
      task: taskIdSchema(),
      delegation: delegationIdSchema,
      commit: commitSchema(),
      /** Commits on the branch that no task made: a person's, or an agent's that bypassed Divisi. */
      foreign: z.optional(count()),
    }),
  /** The work conflicts with the run's branch; or `branch` says why the branch accepts no merge. */
  'task.conflicted': () =>
    z.strictObject({
      task: taskIdSchema(),
      delegation: delegationIdSchema,
      onto: commitSchema(),
      conflicts: z.array(conflictSchema()),
      branch: z.optional(text()),
    }),
  'task.settled': () => z.strictObject({ task: taskIdSchema(), status: z.enum(statuses) }),
  /** The task failed and gets another attempt at this tier. */
  'task.retried': () => z.strictObject({ task: taskIdSchema(), tier: z.enum(tiers), why: z.enum(retryReasons) }),
  'task.skipped': () => z.strictObject({ task: taskIdSchema(), because: text() }),
  /** A gate adds a review or a fix. `gate` is the subject; `finding` is the deferred finding it fixes. */
  'task.added': () =>
    z.strictObject({
      wave: count(),
      role: z.enum(gateRoles),
      gate: text(),
      finding: z.optional(text()),
      task: plannedTaskSchema(),
    }),
  /** A review found something that can wait: noted in the plan and given to a fixer later. */
  'finding.deferred': () =>
    z.strictObject({ finding: text(), wave: count(), action: text(), report: z.optional(text()) }),
  /** An acceptance command has run at the base of the run, before its answer is needed. */
  'base.checked': () => z.strictObject({ base: commitSchema(), updates: count(), check: baseCheckSchema() }),
  /** The acceptance commands of a wave have run on the merged work, before its review. */
  'gate.checked': () =>
    z.strictObject({ gate: text(), wave: count(), commit: commitSchema(), commands: z.array(commandRunSchema()) }),
  'wave.ended': () => z.strictObject({ wave: count(), status: z.enum(['completed', 'failed']) }),
  'checkpoint.opened': checkpointOpenedSchema,
  'checkpoint.answered': () =>
    z.strictObject({
      checkpoint: text(),
      approved: z.boolean(),
      note: z.optional(text()),
      /** `on-trouble`: by the option of that name, not by a person. */
      by: z.enum(['person', 'mode', 'on-trouble']),
    }),
  /** The question is void: the plan file has changed again. */
  'checkpoint.withdrawn': () => z.strictObject({ checkpoint: text() }),
  /** The only way time enters the core, recorded only when something waits for it. */
  'clock.reached': () => z.strictObject({ time: count() }),
  /** Bytes on the disk with the rooms, recorded when it becomes too full to start more, and when it no longer is. */
  'disk.measured': () => z.strictObject({ free: count(), needs: count() }),
  /** A person's edit has changed the run's plan. */
  'plan.amended': () => z.strictObject({ amendments: z.array(amendmentSchema()) }),
  /** Recorded before the file is written, to tell our own writes from edits by others. */
  'plan.written': () => z.strictObject({ file: text(), hash: text() }),
  /** Someone else changed the plan file. `conflicts` lists the parts of the edit that cannot be applied. */
  'plan.changed': () => z.strictObject({ file: text(), hash: text(), conflicts: z.array(text()) }),
  'run.paused': () => z.strictObject({ reason: text(), for: z.enum(['stop', 'answer']) }),
  /** `reason`: why a run that no one cancelled was cancelled. */
  'run.ended': () => z.strictObject({ status: z.enum(runEnds), reason: z.optional(text()) }),
} as const satisfies Readonly<Record<EventKind, () => z.ZodMiniType>>;

/** `at` is the wall clock in milliseconds, for people and for budgets of minutes only. */
export type EventOf<K extends EventKind> = {
  [P in K]: { kind: P; version: 1; at: number } & z.infer<ReturnType<(typeof kinds)[P]>>;
}[K];
export type RunEvent = EventOf<EventKind>;
/** An event without its time. */
export type NewEvent = { [P in EventKind]: { kind: P } & z.infer<ReturnType<(typeof kinds)[P]>> }[EventKind];

export function stamp(event: NewEvent, at: number): RunEvent {
  return { ...event, version: 1, at };
}

const schemas = new Map<EventKind, z.ZodMiniType<RunEvent>>();

/** Built on first use: most importers check a few kinds, or none. */
function schemaOf(kind: EventKind): z.ZodMiniType<RunEvent> {
  const known = schemas.get(kind);
  if (known !== undefined) return known;
  const head = { kind: z.literal(kind), version: z.literal(1), at: count() };
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

/** Refuses anything that is not exactly one of the events above, with the place and the reason. */
export function checkEvent(event: unknown): RunEvent {
  const kind = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
  if (!isKind(kind)) throw invalidEvent(kind, `kind: unknown event ${String(kind).slice(0, 60)}`);
  const schema = schemaOf(kind);
  const parsed = schema.safeParse(event);
  if (parsed.success) return parsed.data;
  const [issue] = schema.safeParse(event, inWords).error?.issues ?? [];
  throw invalidEvent(kind, `${issue?.path.map(String).join('.') || kind}: ${issue?.message ?? ''}`);
}
