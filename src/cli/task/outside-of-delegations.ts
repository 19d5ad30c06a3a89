import { resolve, sep } from 'node:path';

/** An agent that gives a command works in a folder of its own; the tasks, and who has delegated what, are in the project. */
export function outsideOfDelegations(project: string): string {
  const [outside = project] = resolve(project).split(`${sep}.divisi${sep}worktrees${sep}`);
  return outside;
}
