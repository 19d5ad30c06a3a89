/** Workflow step: the stages of a task command and the parts of a feature, without their schemas, which hooks do not need. */

export const commandStages = [
  'parse',
  'preflight',
  'routing',
  'context',
  'invocation',
  'validation',
  'postflight',
] as const;
export type CommandStage = (typeof commandStages)[number];

/** The stages before any agent runs; undefined: no stage has been reached. */
export const beforeAgents = new Set<CommandStage | undefined>([undefined, 'parse', 'preflight', 'routing', 'context']);

/** Steps of postflight, in order: the task list, the two files, git. */
export const postflightFacts = ['sync', 'todo', 'state', 'commit'] as const;
export type PostflightFact = (typeof postflightFacts)[number];

/** Progress of a task command. */
export interface CommandState {
  /** In order; a stage that is missing before a later one was skipped. */
  reached: readonly { readonly stage: CommandStage; readonly at: number; readonly note: string }[];
  /** Results of the postflight steps so far. */
  facts: { readonly [Fact in PostflightFact]?: { readonly done: boolean; readonly note: string } };
}

export const newCommand = (): CommandState => ({ reached: [], facts: {} });

/** The task that writes a feature's document. */
export const docId = (slug: string): string => `${slug}.doc`;
export const isDoc = (task: string): boolean => task.endsWith('.doc');

/** The work on one phase of a feature; `extra` is an agent named in the config. */
export const featureParts = ['tdd', 'review', 'extra', 'gate'] as const;
export type FeaturePart = (typeof featureParts)[number];

/** The feature, phase and part that a task of the run belongs to. */
export interface FeatureStep {
  readonly feature: string;
  readonly phase: number;
  readonly part: FeaturePart;
  readonly round: number;
}
