/** Furnishes a room before anything runs in it: claims its ports and slug, and records its teardown. May be repeated. */
import { basename, join } from 'node:path';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { runFolder } from '../../delegation/delegation-files.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { claimRoom } from '../../workspace/git/room/room-claims.ts';
import { roomAround } from '../../workspace/git/room/rooms-folder.ts';
import { noteTearDown } from '../../workspace/git/room/tear-down.ts';

export interface Furnishing {
  readonly run: string;
  /** The room, or a folder in it. */
  readonly directory: string;
  readonly facts: WorkspaceFacts;
}

/** Answers the variables for everything that runs in the room. */
export async function furnishRoom(
  repository: Repository,
  { run, directory, facts }: Furnishing,
): Promise<Record<string, string>> {
  const { prefix } = repository;
  const folder = roomAround(repository, directory);
  const { teardown: commands = [], environment, timeout, ports = [] } = facts;
  const output = join(repository.project, runFolder(run), 'checks', basename(folder));
  await noteTearDown(repository, folder, { run, prefix, commands, environment, timeout, output });
  return claimRoom(repository, folder, ports);
}
