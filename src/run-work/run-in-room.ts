/** Runs one set-up or acceptance command in a room: confined to it, with its ports and slug, and with its output in a file of the run. */
import { dirname, join } from 'node:path';
import type { CommandRun, WorkspaceFacts } from '../core/event/verification.ts';
import { childEnvironment } from '../process/environment.ts';
import { runCommand } from '../verify/run-command.ts';
import { confineRoom } from '../workspace/confine/confine-room.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { roomAround } from '../workspace/git/room/rooms-folder.ts';
import { folderInside } from '../workspace/project-path.ts';
import type { RunRequest } from './run-acceptance.ts';
import { furnishRoom } from './set-up/furnish-room.ts';

export interface RoomPrograms {
  readonly project: string;
  readonly repository: Repository;
  /** The user's environment; commands get its harmless part and what the config allows. */
  readonly environment: NodeJS.ProcessEnv;
  readonly run: string;
}

export async function runInRoom(
  { project, repository, environment, run }: RoomPrograms,
  { argv, directory, marker, output, watch, purpose = 'acceptance' }: RunRequest,
  facts: WorkspaceFacts,
  signal: AbortSignal,
): Promise<Omit<CommandRun, 'from'>> {
  await folderInside(project, dirname(output));
  const variables = await furnishRoom(repository, { run, directory, facts });
  const confinement = await confineRoom(repository, roomAround(repository, directory));
  const ran = await runCommand(
    {
      argv,
      directory,
      environment: childEnvironment(environment, facts.environment, { CI: '1', ...variables }),
      marker,
      purpose,
      outputFile: join(project, output),
      timeoutSeconds: facts.timeout,
      watch,
      confinement,
    },
    signal,
  );
  return { ...ran, output };
}
