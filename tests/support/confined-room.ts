/** The confinement that a delegation in this room gets, of a user whose config allows nothing more. */
import { join } from 'node:path';
import type { Confinement } from '../../src/process/confine/confinement.ts';
import { confineRoom } from '../../src/workspace/confine/confine-room.ts';

export interface ConfinedPlace {
  /** Absolute. */
  readonly room: string;
  readonly project: string;
  /** For state, which no program in the room sees. */
  readonly own: string;
  readonly environment: NodeJS.ProcessEnv;
}

export async function confinedRoom({
  room,
  project,
  own,
  environment,
}: ConfinedPlace): Promise<Confinement | undefined> {
  const [state, rooms] = [join(own, 'state'), join(own, 'rooms/none')];
  const variables = { XDG_CONFIG_HOME: join(own, 'config'), DIVISI_STATE: state, ...environment };
  const repository = { kind: 'git', gitDir: join(project, '.git'), top: project, prefix: '', project } as const;
  return confineRoom({ ...repository, rooms, state: join(state, 'projects/none'), environment: variables }, room);
}
