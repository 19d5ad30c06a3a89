/** Turns a task command into tasks of a run: one, or one for each open phase of the plan. */
import type { PlannedTask } from '../core/event/planned-task.ts';
import type { CommandName } from '../routing/command-routing.ts';
import type { Phase } from '../todo/plan-phases.ts';

export interface CommandTasksInput {
  readonly command: CommandName;
  readonly number: number;
  readonly title: string;
  readonly agent: string;
  /** Files that only Divisi writes. */
  readonly forbidden: readonly string[];
  /** One per phase, or one for the whole task. */
  readonly contexts: readonly { readonly phase?: Phase; readonly text: string; readonly document: string }[];
}

const proofs: Readonly<Record<CommandName, string>> = {
  research: 'the report answers the questions of the task and cites a source for each finding',
  plan: 'the plan has phases that can each be finished and verified separately',
  revise: 'the plan has phases that can each be finished and verified separately',
  implement: "the work is complete and the project's checks pass; the summary names what was run",
  review: 'the report says whether the work is acceptable and what is wrong with it',
};

/** Each phase depends on the one before it and continues its work. */
export function commandTasks({ command, number, title, agent, forbidden, contexts }: CommandTasksInput): PlannedTask[] {
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
      // An empty scope is the whole project.
      scope: isWork ? [] : [document],
      forbidden: [...forbidden],
      ...(isWork ? { extraWritablePaths: [document] } : {}),
      document,
      accept: [`the file ${document} exists and contains what was asked for`, proofs[command]],
      tier: 'standard',
      agent,
      done: false,
    };
  });
}
