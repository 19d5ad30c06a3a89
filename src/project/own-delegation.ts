/** Own delegation: finds out whether this process belongs to an agent at work for a project. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runState } from '../delegation/delegation-files.ts';
import type { Marker } from '../process/marker.ts';
import { markersAbove } from '../process/markers-above.ts';
import { stateFolder } from '../workspace/places.ts';

/** A run of another project is none of its business: an agent may work on a program that uses Divisi itself. */
export function ownDelegation(project: string, environment: NodeJS.ProcessEnv): Marker | undefined {
  const markers = markersAbove(environment).filter(({ run }) => /^\w{1,64}$/.test(run));
  return markers.find(({ run }) => existsSync(join(stateFolder(project, environment), runState(run))));
}
