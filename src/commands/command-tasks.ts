/** Turns a task command into tasks of a run: one, or one for each open phase of the plan. */
import type { PlannedTask } from '../core/event/planned-task.ts';
import type { CommandName } from '../routing/command-routing.ts';
import type { Phase } from '../todo/plan-phases.ts';

export interface TasksOf {
  readonly command: CommandName;
  readonly number: number;
  readonly title: string;
  readonly agent: string;
  /** What Divisi itself writes. */
  readonly forbidden: readonly string[];
  /** What the agent is told, for each phase, or for the whole. */
  readonly contexts: readonly { readonly phase?: Phase; readonly text: string; readonly document: string }[];
}

const proofs: Readonly<Record<CommandName, string>> = {
  research: 'the report answers what the task asks, and says where each finding is from',
  plan: 'the plan has phases, each of which can be finished and checked on its own',
  revise: 'the plan has phases, each of which can be finished and checked on its own',
  implement: 'the work is there and the checks of the project pass; the summary names what was run',
  review: 'the report says whether the work can stand, and what is wrong with it',
};

/** A phase comes after the one before it, so each begins where that has left off. */
export function commandTasks({ command, number, title, agent, forbidden, contexts }: TasksOf): PlannedTask[] {
  const isWork = command === 'implement';
  let before: string | undefined;
  return contexts.map(({ phase, text, document }): PlannedTask => {
    const id = phase === undefined ? String(number) : `${number}.${phase.number}`;
    const after = before === undefined ? [] : [{ task: before }];
    before = id;
    return {
      id,
      title:
        phase === undefined ? `${command} ${number}: ${title}` : `${number}, phase ${phase.number}: ${phase.title}`,
      description: text,
      after,
      // An empty one is the whole project.
      scope: isWork ? [] : [document],
      forbidden: [...forbidden],
      ...(isWork ? { extraWritablePaths: [document] } : {}),
      document,
      accept: [`there is a file ${document} that holds what was asked for`, proofs[command]],
      tier: 'standard',
      agent,
      done: false,
    };
  });
}
