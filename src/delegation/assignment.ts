/** Assignment: everything an agent is given about its one task. Refuses a path that is too deep or has a cycle. */
import * as z from 'zod/mini';
import { divisiError } from '../base/error.ts';
import { delegationIdSchema } from '../base/ids.ts';
import { lazy } from '../base/lazy.ts';
import { normalPath, pathFault } from '../base/paths.ts';
import { inWords } from '../base/schema-words.ts';
import { classFor, deadlines } from './deadline.ts';
import { depthOf, pathRefusal } from './path.ts';

const text = lazy(() => z.string().check(z.minLength(1), z.maxLength(20_000)));
const path = lazy(() =>
  z.string().check(
    z.refine((value) => pathFault(value) === undefined, 'a path relative to the project root, without ..'),
    z.overwrite((value) => normalPath(value)),
  ),
);

export const assignmentSchema = z.lazy(() =>
  z
    .strictObject({
      schema_version: z.literal('1.0.0'),
      run_id: text(),
      session_id: delegationIdSchema,
      delegation_depth: z.int(),
      delegation_path: z.array(text()).check(z.minLength(1), z.maxLength(20)),
      /** Seconds until the deadline. */
      timeout: z.int().check(z.positive()),
      agent: text(),
      contract: text(),
      /** The plan it belongs to, and the number and title of its wave. */
      plan: z.optional(
        z.strictObject({
          title: text(),
          file: z.optional(text()),
          goal: z.optional(text()),
          wave: z.optional(text()),
        }),
      ),
      task: z.strictObject({
        id: text(),
        description: text(),
        acceptance: z._default(z.array(text()), []),
        scope: z._default(z.array(path()), []),
        /** Paths it must not change, even within its scope. */
        forbidden: z.optional(z.array(path())),
        report_path: path(),
        worklog_path: z.optional(path()),
        /** What the tasks before it left: accounts, in the words of other agents. */
        dependencies: z.optional(z.array(text())),
        /** Accounts of earlier attempts. */
        earlier: z.optional(z.array(text())),
        /** What people said about it: requests to follow, unlike the accounts in `earlier`. */
        notes: z.optional(z.array(text())),
      }),
      task_context: z.optional(
        z.strictObject({
          task_number: z.optional(z.int().check(z.nonnegative())),
          description: z.optional(text()),
          language: z.optional(text()),
        }),
      ),
    })
    .check(
      z.refine((assignment) => pathRefusal(assignment.delegation_path) === undefined, {
        path: ['delegation_path'],
        error: (issue) => pathRefusal((issue.input as { delegation_path: string[] }).delegation_path) ?? '',
      }),
      z.refine((assignment) => assignment.delegation_depth === depthOf(assignment.delegation_path), {
        path: ['delegation_depth'],
        error: 'the number of agents in delegation_path; the orchestrator and the command do not count',
      }),
      z.refine((assignment) => assignment.delegation_path.at(-1) === assignment.agent, {
        path: ['delegation_path'],
        error: 'a path that ends with the agent of the assignment',
      }),
    ),
);

export type Assignment = z.infer<typeof assignmentSchema>;

export interface AssignmentFault {
  readonly path: string;
  readonly expected: string;
}

export type AssignmentReading =
  | { readonly ok: true; readonly assignment: Assignment }
  | { readonly ok: false; readonly faults: readonly AssignmentFault[] };

function readAssignment(value: unknown): AssignmentReading {
  const parsed = assignmentSchema.safeParse(value, inWords);
  if (parsed.success) return { ok: true, assignment: parsed.data };
  const faults = parsed.error.issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    expected: issue.message,
  }));
  return { ok: false, faults };
}

/** For assignments from outside. */
export function checkAssignment(value: unknown): AssignmentReading {
  const reading = readAssignment(value);
  if (!reading.ok) return reading;
  const { agent, timeout, delegation_path: way } = reading.assignment;
  // Only the agent that the command itself delegates to has the command's time.
  const kind = classFor(agent, { command: depthOf(way) === 1 ? way[1] : undefined });
  const { most } = deadlines[kind];
  if (timeout <= most) return reading;
  return { ok: false, faults: [{ path: 'timeout', expected: `at most ${most} seconds, the maximum for ${kind}` }] };
}

/** For a run's own assignments, whose deadline was checked when the delegation was registered. */
export function parseAssignment(value: unknown): Assignment {
  const reading = readAssignment(value);
  if (reading.ok) return reading.assignment;
  const [first] = reading.faults;
  throw divisiError('ASSIGNMENT_INVALID', {
    message: `invalid assignment: ${reading.faults.map(({ path: at, expected }) => `${at}: ${expected}`).join('; ')}`,
    ...(first === undefined ? {} : { expected: first.expected }),
    next: 'Correct the assignment; `divisi assignment check` names every fault.',
  });
}
