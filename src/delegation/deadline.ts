/**
 * Deadline: the seconds a delegation may take, by the class of what is delegated. Each class has a default, and a maximum that no
 * setting exceeds.
 */
import { divisiError } from '../base/error.ts';

export const delegationClasses = [
  'research',
  'planning',
  'revising',
  'implementing',
  'fixing',
  'reviewing',
  'simple',
] as const;
export type DelegationClass = (typeof delegationClasses)[number];

/** In seconds. */
export const deadlines: Readonly<Record<DelegationClass, { readonly default: number; readonly most: number }>> = {
  research: { default: 3600, most: 7200 },
  planning: { default: 1800, most: 3600 },
  revising: { default: 1800, most: 3600 },
  implementing: { default: 7200, most: 14_400 },
  fixing: { default: 7200, most: 14_400 },
  reviewing: { default: 1800, most: 3600 },
  simple: { default: 300, most: 900 },
};

const classes: Readonly<Record<string, DelegationClass>> = {
  worker: 'implementing',
  implementer: 'implementing',
  'task-executor': 'implementing',
  'lean-implementation-agent': 'implementing',
  'tdd-task-executor': 'implementing',
  fixer: 'fixing',
  'code-simplifier': 'fixing',
  researcher: 'research',
  'lean-research-agent': 'research',
  architect: 'planning',
  planner: 'planning',
  // It writes a document at the place of its task, which the class `reviewing` does not allow.
  reviewer: 'planning',
  'todo-doc-generator': 'planning',
  reviser: 'revising',
  'wave-reviewer': 'reviewing',
  'task-reviewer': 'reviewing',
  auditor: 'reviewing',
  'code-reviewer': 'reviewing',
  'review-pr': 'reviewing',
  'silent-failure-hunter': 'reviewing',
  'type-design-analyzer': 'reviewing',
  'status-sync-manager': 'simple',
  'git-workflow-manager': 'simple',
};

const commandClasses: Readonly<Record<string, DelegationClass>> = {
  research: 'research',
  plan: 'planning',
  revise: 'revising',
  implement: 'implementing',
  review: 'reviewing',
};

const plainName = (agent: string): string => agent.slice(agent.lastIndexOf(':') + 1);

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The class of a built-in or well-known agent; undefined for every other. Ignores a plugin's prefix. */
export function classOf(agent: string): DelegationClass | undefined {
  return ownValue(classes, plainName(agent));
}

/** Classes that the config gives to agents, by name. */
export type AgentClasses = Readonly<Record<string, DelegationClass>>;

/** Those of a config, for the settings of a run, which records only what was set. */
export function classesOf(given: Readonly<Record<string, string>>): { readonly classes?: AgentClasses } {
  const known = Object.entries(given).flatMap(([agent, name]) => {
    const kind = delegationClasses.find((one) => one === name);
    return kind === undefined ? [] : [[agent, kind] as const];
  });
  return known.length === 0 ? {} : { classes: Object.fromEntries(known) };
}

export interface DelegatedWork {
  /** The task command that delegates it; absent in other runs. */
  readonly command?: string | undefined;
  /** `work` by default. */
  readonly does?: 'work' | 'review' | 'fix' | undefined;
  readonly classes?: AgentClasses | undefined;
}

/** Precedence: the config, the task command, the agent's name, then what it does: an own agent inherits from that. */
export function classFor(
  agent: string,
  { command = '', does = 'work', classes: own = {} }: DelegatedWork,
): DelegationClass {
  const byDoing = { work: 'implementing', review: 'reviewing', fix: 'fixing' } as const;
  const name = plainName(agent);
  return ownValue(own, name) ?? ownValue(commandClasses, command) ?? classOf(name) ?? byDoing[does];
}

/** The requested seconds, or the default; more than the maximum is refused, not cut. */
export function secondsFor(kind: DelegationClass, asked?: number): number {
  const { default: usual, most } = deadlines[kind];
  if (asked === undefined) return usual;
  if (Number.isInteger(asked) && asked > 0 && asked <= most) return asked;
  throw divisiError('DELEGATION_REFUSED', {
    message: `a deadline of ${asked} seconds is not allowed for ${kind}`,
    expected: `whole seconds from 1 to ${most}`,
    got: String(asked),
    next: 'Lower the deadline in the plan or the config, or leave it out.',
    ids: { class: kind },
  });
}
