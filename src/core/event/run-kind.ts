/** RunKind: tells runs apart by their first event alone, and lists the rules in which they differ. */
import type { EventOf } from './event.ts';
import type { Workflow } from './workflow.ts';

/**
 * `plan`: a plan file, driven by a Divisi process. `conducted`: a plan file, driven by a conversation in the user's
 * checkout. `command`: a task command about one backlog task. `architect`: writes a plan for a goal. `features`:
 * describes and builds features.
 */
export type RunKind = 'plan' | 'conducted' | Workflow['kind'];

type Created = Pick<EventOf<'run.created'>, 'workflow' | 'workspace'>;

export function runKind({ workflow, workspace }: Created): RunKind {
  return workflow?.kind ?? (workspace?.kind === 'checkout' ? 'conducted' : 'plan');
}

/** The workflow of a run of that kind; undefined for every other run. */
export function workflowAs<Kind extends Workflow['kind']>(
  { workflow }: Pick<Created, 'workflow'>,
  kind: Kind,
): Extract<Workflow, { kind: Kind }> | undefined {
  return workflow?.kind === kind ? (workflow as Extract<Workflow, { kind: Kind }>) : undefined;
}

interface RunRules {
  /** The results of earlier tasks decide each next task; none can be redone on its own. */
  readonly grows: boolean;
  /** Goes through the seven stages of a task command. */
  readonly hasStages: boolean;
  /** A review of each wave gates the next. */
  readonly gatesWaves: boolean;
  /** Acceptance commands also run for tasks that only write below `.divisi/`. */
  readonly provesNotes: boolean;
}

const workflowRules: RunRules = { grows: false, hasStages: false, gatesWaves: false, provesNotes: false };
const planRules: RunRules = { ...workflowRules, gatesWaves: true, provesNotes: true };

const rules: Readonly<Record<RunKind, RunRules>> = {
  plan: planRules,
  conducted: planRules,
  command: { ...workflowRules, hasStages: true },
  architect: workflowRules,
  features: { ...workflowRules, grows: true },
};

export function rulesOf(created: Created): RunRules {
  return rules[runKind(created)];
}

const startCommands: Readonly<Record<Exclude<RunKind, 'command'>, string>> = {
  plan: 'run',
  conducted: 'run',
  architect: 'plan',
  features: 'feature',
};

/** First word of the command line that starts a run of this kind. */
export function startCommand(created: Created): string {
  const kind = runKind(created);
  return kind === 'command' ? (workflowAs(created, kind)?.command ?? kind) : startCommands[kind];
}
