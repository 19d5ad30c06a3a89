/** Task status: the statuses of a backlog task, and the transitions between them. */

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

/** Final statuses, which `divisi todo` archives. */
export const endStatuses = ['completed', 'abandoned', 'expanded'] as const satisfies readonly TaskStatus[];

/** Statuses a command may start from. Interrupted work may be restarted, and other work may come first. */
const resting = ['not started', 'researched', 'planned', 'revised', 'partial', 'blocked'] as const;

/** For each status, the statuses it may follow. Staying in a status is always possible. */
const from: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  // Started by mistake, or reopened by a person.
  'not started': ['blocked', 'abandoned'],
  researching: [...resting, 'planning', 'revising', 'implementing'],
  researched: ['researching'],
  planning: [...resting, 'researching', 'revising', 'implementing'],
  planned: ['planning'],
  revising: ['researched', 'planned', 'revised', 'partial', 'blocked', 'implementing'],
  revised: ['revising'],
  implementing: [...resting, 'researching', 'planning', 'revising'],
  // By a command, or by a person who did the work without one.
  completed: [...resting, 'implementing'],
  partial: ['researching', 'planning', 'revising', 'implementing'],
  blocked: [...resting, 'researching', 'planning', 'revising', 'implementing'],
  abandoned: [...resting, 'researching', 'planning', 'revising', 'implementing'],
  expanded: [...resting],
};

export function mayFollow(status: TaskStatus, next: TaskStatus): boolean {
  return status === next || from[next].includes(status);
}

/** For error messages that list the alternatives. */
export function nextStatuses(status: TaskStatus): TaskStatus[] {
  return taskStatuses.filter((next) => next !== status && mayFollow(status, next));
}

/** Synonyms that people and other tools write. */
const aliases: ReadonlyMap<string, TaskStatus> = new Map([
  ['todo', 'not started'],
  ['pending', 'not started'],
  ['in progress', 'implementing'],
  ['implemented', 'completed'],
  ['complete', 'completed'],
  ['done', 'completed'],
]);

/** In any spelling: `[IN PROGRESS]`, `not_started`, `Planned`. */
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

/** As in TODO.md: `[NOT STARTED]`. */
export function statusMark(status: TaskStatus): string {
  return `[${status.toUpperCase()}]`;
}

/** As in state.json: `not_started`. */
export function statusKey(status: TaskStatus): string {
  return status.replaceAll(' ', '_');
}

const written: ReadonlyMap<string, TaskStatus> = new Map(
  taskStatuses.flatMap((status) => [
    [statusMark(status), status],
    [statusKey(status), status],
  ]),
);
