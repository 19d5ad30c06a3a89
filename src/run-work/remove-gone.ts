/** Removes what Divisi keeps of a project that is gone: tears its rooms down, then removes them, its seeds and its state. */
import { type GoneProject, isGone } from '../project/gone-projects.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { listRooms, removeAll, removeRoom } from '../workspace/git/room/remove-room.ts';

/** False if the project is there again. May be repeated: the state, which names the rest, goes last. */
export async function removeGone(
  { folder: state, path: project, rooms }: GoneProject,
  environment: NodeJS.ProcessEnv,
  warn: (error: unknown) => void,
): Promise<boolean> {
  if (!isGone(project)) return false;
  if (rooms !== undefined) {
    // The objects of its repository are gone with it: nothing below asks git.
    const repository: Repository = {
      kind: 'copy',
      gitDir: state,
      top: project,
      prefix: '',
      project,
      rooms,
      state,
      environment,
    };
    for (const { folder } of await listRooms(repository)) await removeRoom(repository, { folder, warn });
    await removeAll(rooms);
  }
  await removeAll(state);
  return true;
}
