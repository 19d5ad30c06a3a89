/** How far a backlog task is, and what may follow from what. */

export const taskStatuses = [
  'not started',
  'researching',
  'researched',
  'planning',
  'planned',
  'revising',
  'revised',
  'implementing',
  'completed',
  'partial',
  'blocked',
  'abandoned',
  'expanded',
] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Nothing follows by itself any more: `divisi todo` puts these away. */
export const endStatuses = ['completed', 'abandoned', 'expanded'] as const satisfies readonly TaskStatus[];

/** What a command may begin with. Work that was interrupted may be begun again, and other work may come before it goes on. */
const resting = ['not started', 'researched', 'planned', 'revised', 'partial', 'blocked'] as const;

/** By where it goes, from where it may come. Going nowhere is always possible. */
const from: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  // Begun by mistake, or opened again by a person.
  'not started': ['blocked', 'abandoned'],
  researching: [...resting, 'planning', 'revising', 'implementing'],
  researched: ['researching'],
  planning: [...resting, 'researching', 'revising', 'implementing'],
  planned: ['planning'],
  revising: ['researched', 'planned', 'revised', 'partial', 'blocked', 'implementing'],
  revised: ['revising'],
  implementing: [...resting, 'researching', 'planning', 'revising'],
  // By a command, or by a person who has done it without one.
  completed: [...resting, 'implementing'],
  partial: ['researching', 'planning', 'revising', 'implementing'],
  blocked: [...resting, 'researching', 'planning', 'revising', 'implementing'],
  abandoned: [...resting, 'researching', 'planning', 'revising', 'implementing'],
  expanded: [...resting],
};

export function mayFollow(status: TaskStatus, next: TaskStatus): boolean {
  return status === next || from[next].includes(status);
}

/** For saying what can be done instead. */
export function nextStatuses(status: TaskStatus): TaskStatus[] {
  return taskStatuses.filter((next) => next !== status && mayFollow(status, next));
}

/** What people and other tools write for them. */
const aliases: ReadonlyMap<string, TaskStatus> = new Map([
  ['todo', 'not started'],
  ['pending', 'not started'],
  ['in progress', 'implementing'],
  ['implemented', 'completed'],
  ['complete', 'completed'],
  ['done', 'completed'],
]);

/** However it is written: `[IN PROGRESS]`, `not_started`, `Planned`. */
export function readTaskStatus(word: string): TaskStatus | undefined {
  const usual = written.get(word);
  if (usual !== undefined) return usual;
  if (word.length > 40) return undefined;
  const plain = word
    .toLowerCase()
    .replaceAll(/[[\]*_`\s-]+/g, ' ')
    .trim();
  return taskStatuses.find((status) => status === plain) ?? aliases.get(plain);
}

/** As TODO.md has it: `[NOT STARTED]`. */
export function statusMark(status: TaskStatus): string {
  return `[${status.toUpperCase()}]`;
}

/** As state.json has it: `not_started`. */
export function statusWord(status: TaskStatus): string {
  return status.replaceAll(' ', '_');
}

const written: ReadonlyMap<string, TaskStatus> = new Map(
  taskStatuses.flatMap((status) => [
    [statusMark(status), status],
    [statusWord(status), status],
  ]),
);
