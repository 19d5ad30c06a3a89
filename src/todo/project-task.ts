/** Project task: a backlog task as `divisi task`, TODO.md and state.json have it. Not a task of a plan. */
import * as z from 'zod/mini';
import { lazy } from '../base/lazy.ts';
import { artifactTypes } from '../contracts/result.ts';
import { taskStatuses } from './task-status.ts';

const text = lazy(() => z.string());
const number = lazy(() => z.int().check(z.positive()));
/** `2026-11-16T10:00:00.000Z`. */
const time = text;

export const projectTaskSchema = lazy(() =>
  z.strictObject({
    number: number(),
    title: text(),
    description: text(),
    status: z.enum(taskStatuses),
    /** Selects the agent; `general` by default. */
    language: text(),
    effort: z.optional(text()),
    priority: z.optional(text()),
    /** Why it was blocked, abandoned or expanded. */
    reason: z.optional(text()),
    /** The number of the task that this one is a part of. */
    parent: z.optional(number()),
    /** The newest of a type comes last. Paths are relative to the project. */
    artifacts: z.array(z.strictObject({ type: z.enum(artifactTypes), path: text() })),
    created: time(),
    updated: time(),
    completed: z.optional(time()),
  }),
);
export type ProjectTask = z.infer<ReturnType<typeof projectTaskSchema>>;

/** The fields that can be changed. */
export type TaskChanges = Partial<Omit<ProjectTask, 'number' | 'created' | 'updated'>>;
