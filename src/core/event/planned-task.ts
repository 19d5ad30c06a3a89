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
    /** What the task must leave alone, inside of its scope or anywhere; absent where that is nothing. */
    forbidden: z.optional(z.array(text())),
    /** What of Divisi's own folder it may write to, besides its scope. */
    extraWritablePaths: z.optional(z.array(text())),
    /** The file that it has to write; absent where the work itself is what counts. */
    document: z.optional(text()),
    accept: z.array(text()),
    tier: z.enum(tiers),
    agent: text(),
    /** Ticked in the plan before the run began: taken as completed, on the word of the person who ticked it. */
    done: z.boolean(),
    /** The tier of the agent that reviews this task alone, where the plan asks for that. */
    review: z.optional(z.enum(tiers)),
    budgets: z.optional(budgetsSchema()),
  }),
);
export type PlannedTask = z.infer<ReturnType<typeof plannedTaskSchema>>;
