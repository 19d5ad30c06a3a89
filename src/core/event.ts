/**
 * Everything that can happen in a run, declared once. An event carries the facts it needs to be replayed alone, and a
 * version: a changed meaning is a new version, never a changed old one.
 *
 * Events are checked against these schemas when they are appended, not when they are folded.
 */
import * as z from 'zod/mini';
import { type TuttiError, tuttiError } from '../contracts/error.ts';
import { delegationIdSchema, runIdSchema } from '../contracts/ids.ts';
import { inWords } from '../contracts/schema-words.ts';
import { statuses } from '../contracts/status.ts';
import { delegationClasses } from '../delegation/deadline.ts';
import { tiers } from '../plan/plan.ts';

const count = z.int().check(z.nonnegative());
const time = count;
const text = z.string();
const taskId = z.string().check(z.minLength(1));

const dependency = z.union([z.strictObject({ task: taskId }), z.strictObject({ wave: count })]);

export const plannedTaskSchema = z.strictObject({
  id: taskId,
  title: text,
  description: text,
  after: z.array(dependency),
  scope: z.array(text),
  accept: z.array(text),
  tier: z.enum(tiers),
  agent: text,
  /** Ticked in the plan before the run began: taken as completed, on the word of the person who ticked it. */
  done: z.boolean(),
});
export type PlannedTask = z.infer<typeof plannedTaskSchema>;

/** Why an attempt did not bring a result, sorted once. */
export const failureClasses = [
  'agent-error',
  'contract-violation',
  'verification-failed',
  'timeout',
  'quota',
  'environment',
  'unclear',
  'cancelled',
  'lost',
] as const;
export type FailureClass = (typeof failureClasses)[number];

/** What of a result the run remembers; the rest is in the report. */
const outcome = z.strictObject({
  status: z.enum(statuses),
  summary: text,
  files: z.array(text),
  /** Where the full account is, relative to the project; absent when nothing was kept. */
  report: z.optional(text),
  repairs: count,
  degraded: z.array(text),
  failure: z.optional(z.strictObject({ class: z.enum(failureClasses), message: text })),
});
export type Outcome = z.infer<typeof outcome>;

/** A delegation ends exactly once, in one of these ways. */
export const ends = ['returned', 'timed-out', 'cancelled', 'lost'] as const;
export type End = (typeof ends)[number];

export const runEnds = ['completed', 'failed', 'cancelled'] as const;
export type RunEnd = (typeof runEnds)[number];

const kinds = {
  'run.created': z.strictObject({
    run: runIdSchema,
    /** The version of the core that decides in this run. */
    core: count,
    plan: z.strictObject({ file: text, hash: text, title: text, goal: text }),
    settings: z.strictObject({
      concurrency: z.int().check(z.positive()),
      driver: text,
      command: z.optional(z.array(text)),
      repair: z.optional(z.array(text)),
      scenario: z.optional(text),
      /** Seconds by class, where they differ from the defaults. */
      deadlines: z.partialRecord(z.enum(delegationClasses), count),
    }),
    waves: count,
    checkpoints: z.array(z.strictObject({ afterWave: count, why: text })),
  }),
  /** The tasks of a wave, or some of them: a large wave takes several of these. `number` is the plan's own for it. */
  'wave.planned': z.strictObject({ wave: count, number: count, title: text, tasks: z.array(plannedTaskSchema) }),
  /** Work goes on: at the start, after a pause, after a crash, after a failed end. What did not complete is open again. */
  'run.started': z.strictObject({ command: text }),
  'wave.started': z.strictObject({ wave: count }),
  'delegation.registered': z.strictObject({
    delegation: delegationIdSchema,
    task: taskId,
    attempt: z.int().check(z.positive()),
    agent: text,
    tier: z.enum(tiers),
    class: z.enum(delegationClasses),
    path: z.array(text),
    deadline: time,
  }),
  'delegation.started': z.strictObject({ delegation: delegationIdSchema, pid: z.optional(count) }),
  /** The return was not accepted, and the same agent was asked for it again. */
  'return.refused': z.strictObject({ delegation: delegationIdSchema, repair: count, violations: z.array(text) }),
  'delegation.ended': z.strictObject({ delegation: delegationIdSchema, task: taskId, end: z.enum(ends), outcome }),
  'task.settled': z.strictObject({ task: taskId, status: z.enum(statuses) }),
  'task.skipped': z.strictObject({ task: taskId, because: text }),
  'wave.ended': z.strictObject({ wave: count, status: z.enum(['completed', 'failed']) }),
  'checkpoint.opened': z.strictObject({ checkpoint: text, afterWave: count, why: text }),
  'checkpoint.answered': z.strictObject({ checkpoint: text, approved: z.boolean(), note: z.optional(text) }),
  /** What the plan's file is about to hold, and its name: so that a change by someone else can be told from our own. */
  'plan.written': z.strictObject({ file: text, hash: text }),
  /** Someone else changed the plan's file. */
  'plan.changed': z.strictObject({ file: text, hash: text }),
  'run.paused': z.strictObject({ reason: text }),
  'run.ended': z.strictObject({ status: z.enum(runEnds) }),
} as const;

export type EventKind = keyof typeof kinds;
export const eventKinds = Object.keys(kinds) as EventKind[];

/** `at` is the wall clock in milliseconds: for people, never for decisions. */
export type EventOf<K extends EventKind> = {
  [P in K]: { kind: P; version: 1; at: number } & z.infer<(typeof kinds)[P]>;
}[K];
export type RunEvent = EventOf<EventKind>;
/** An event before it has a time. */
export type NewEvent = { [P in EventKind]: { kind: P } & z.infer<(typeof kinds)[P]> }[EventKind];

export function stamp(event: NewEvent, at: number): RunEvent {
  return { ...event, version: 1, at };
}

const schemas = new Map<unknown, z.ZodMiniType<RunEvent>>(
  Object.entries(kinds).map(([kind, fields]) => [
    kind,
    z.extend(fields, { kind: z.literal(kind), version: z.literal(1), at: time }) as unknown as z.ZodMiniType<RunEvent>,
  ]),
);

/** Any event, as `tutti events --json` prints it without its number and run. */
export function eventSchema(): z.ZodMiniType<RunEvent> {
  return z.union([...schemas.values()]);
}

/** What is not exactly one of the events above is refused, with the place and the reason. */
export function checkEvent(event: unknown): RunEvent {
  const kind = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
  const schema = schemas.get(kind);
  if (schema === undefined) throw invalidEvent(kind, `kind: no event is called ${String(kind).slice(0, 60)}`);
  const parsed = schema.safeParse(event);
  if (parsed.success) return parsed.data;
  const [issue] = schema.safeParse(event, inWords).error?.issues ?? [];
  throw invalidEvent(kind, `${issue?.path.map(String).join('.') || String(kind)}: ${issue?.message ?? ''}`);
}

function invalidEvent(kind: unknown, fault: string): TuttiError {
  return tuttiError('EVENT_INVALID', {
    message: `not an event: ${fault}`,
    next: 'This is a fault in Tutti; nothing was written. Please report it with this message.',
    ids: typeof kind === 'string' ? { kind: kind.slice(0, 60) } : {},
  });
}
