/** Workflow: the request behind a run that has no plan file, and the progress of a task command. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { taskStatuses } from '../../todo/task-status.ts';

const text = lazy(() => z.string());
const number = lazy(() => z.int().check(z.positive()));

export const workflowSchema = lazy(() =>
  z.discriminatedUnion('kind', [
    /** A command about one backlog task: research, plan, implement, revise, review. */
    z.strictObject({
      kind: z.literal('command'),
      command: text(),
      number: number(),
      title: text(),
      language: text(),
      /** Status of the backlog task before the command, restored if the command fails. */
      before: z.enum(taskStatuses),
      /** Path of the delegation that gave the command, if an agent did. */
      above: z.optional(z.array(text())),
      /** Folder of its artifacts, relative to the project. */
      folder: text(),
      /** The implementation plan it follows. */
      plan: z.optional(text()),
      /** Key of that plan when the run began, ignoring marks. */
      planKey: z.optional(text()),
    }),
    /** A description from which an architect writes a plan. */
    z.strictObject({ kind: z.literal('architect'), request: text() }),
    /** Features, each described in a document and built phase by phase. */
    z.strictObject({
      kind: z.literal('features'),
      features: z.array(
        z.strictObject({
          slug: text(),
          title: text(),
          text: text(),
          /** A document that existed before the run, with its path in the project: no agent describes the feature. */
          document: z.optional(z.strictObject({ path: text(), text: text() })),
        }),
      ),
      /** Agents that check a phase between its review and the gate. */
      extras: z.array(text()),
    }),
  ]),
);
export type Workflow = z.infer<ReturnType<typeof workflowSchema>>;
export type CommandWorkflow = Extract<Workflow, { kind: 'command' }>;
export type FeaturesWorkflow = Extract<Workflow, { kind: 'features' }>;
export type Feature = FeaturesWorkflow['features'][number];
