/** Conduct: the context of every step of a conducted run. */
import type { DelegationId } from '../base/ids.ts';
import type { Roles } from '../workspace/load-roles.ts';
import type { Ready } from '../views/brief/here-text.ts';
import type { RemainingWork } from './advance.ts';
import type { RunPlace } from './in-run.ts';
import { subagentFor } from './subagent.ts';

export interface Conduct extends RunPlace {
  /** Absolute. */
  readonly project: string;
  /** The user's environment; commands get its harmless part and what the config allows. */
  readonly environment: NodeJS.ProcessEnv;
  readonly newDelegation: () => DelegationId;
  readonly roles: Roles;
}

/** Never part of an agent's work: Divisi's own folder. */
export const ownFolders = ['.divisi'];

/** The tasks that may be delegated now, each with its subagent. */
export function readyNow({ ready }: RemainingWork, { agents }: Pick<Roles, 'agents'>): Ready[] {
  return ready.map((task) => ({ task: task.planned.id, subagent: subagentFor(task, agents).type }));
}
