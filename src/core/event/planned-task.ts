/** Planned task: a task as the ledger stores it, from the plan or added by a gate. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { tiers } from '../../plan/plan.ts';

const count = lazy(() => z.int().check(z.nonnegative()));
const text = lazy(() => z.string());
export const taskIdSchema = lazy(() => z.string().check(z.minLength(1)));

const dependency = lazy(() => z.union([z.strictObject({ task: taskIdSchema() }), z.strictObject({ wave: count() })]));

const amount = lazy(() => z.number().check(z.positive()));
export const budgetsSchema = lazy(() =>
  z.strictObject({
    minutes: z.optional(amount()),
    delegations: z.optional(amount()),
    tokens: z.optional(amount()),
    cost: z.optional(amount()),
  }),
);
export type Budgets = z.infer<ReturnType<typeof budgetsSchema>>;
export type BudgetKey = keyof Budgets;

export const plannedTaskSchema = lazy(() =>
  z.strictObject({
    id: taskIdSchema(),
    title: text(),
    description: text(),
    after: z.array(dependency()),
    scope: z.array(text()),
    /** Paths the task must not touch, inside its scope or anywhere. */
    forbidden: z.optional(z.array(text())),
    /** Paths in Divisi's own folder that the task may write, besides its scope. */
    extraWritablePaths: z.optional(z.array(text())),
    /** The file the task has to write; absent for work without a document. */
    document: z.optional(text()),
    accept: z.array(text()),
    tier: z.enum(tiers),
    agent: text(),
    /** Ticked in the plan before the run began; counts as completed. */
    done: z.boolean(),
    /** Tier of the reviewer of this task alone, if the plan asks for one. */
    review: z.optional(z.enum(tiers)),
    budgets: z.optional(budgetsSchema()),
  }),
);
export type PlannedTask = z.infer<ReturnType<typeof plannedTaskSchema>>;
