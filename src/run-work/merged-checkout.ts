/** Opens a clean checkout of a run's merged work, for commands that test it as a whole. */
import { systemCode, DivisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import type { AcceptCommand } from '../core/decide/accept-commands.ts';
import type { CommandRun } from '../core/event/verification.ts';
import { openCheckout } from '../workspace/git/room/make-room.ts';
import { provide } from '../workspace/git/room/provide.ts';
import { removeRoom } from '../workspace/git/room/remove-room.ts';
import { runFolder } from '../delegation/delegation-files.ts';
import type { RunWorkspace } from './run-workspace.ts';

export interface MergedCheckout {
  readonly workspace: RunWorkspace;
  readonly run: string;
  /** Name of the folder. */
  readonly name: string;
  /** Name of the folder for the output of commands. */
  readonly checks: string;
  readonly commit: string;
  /** Marks its processes. */
  readonly marker: string;
}

export interface OpenCheckout {
  /** Absolute: the top of the folder. */
  readonly folder: string;
  /** Absolute: the project inside the folder. */
  readonly directory: string;
  /** Sets up the folder before the first command; a failed set-up is the result of every command. */
  readonly command: (command: AcceptCommand) => Promise<CommandRun>;
}

/** Removes the folder when the work is done. */
export async function inMergedCheckout<T>(
  { workspace, run, name, checks, commit, marker: delegation }: MergedCheckout,
  signal: AbortSignal,
  work: (checkout: OpenCheckout) => Promise<T>,
): Promise<T> {
  const { repository, facts } = workspace;
  const marker = { run, delegation };
  const { folder, directory } = await openCheckout(repository, { run, name, commit, identity: facts.identity }, signal);
  let ran = 0;
  let settingUp: Promise<CommandRun | undefined> | undefined;
  async function setUp({ argv, from }: AcceptCommand): Promise<CommandRun | undefined> {
    try {
      await provide(repository.project, directory, facts);
    } catch (error) {
      if (!isInTheWay(error)) throw error;
      return {
        argv: [...argv],
        from,
        ok: false,
        end: `could not start: ${oneLine(error.message, 300)}`,
        milliseconds: 0,
      };
    }
    return workspace.setUp(directory, marker, checks, signal);
  }
  try {
    return await work({
      folder,
      directory,
      async command(wanted) {
        const { argv, from } = wanted;
        settingUp ??= setUp(wanted);
        const failed = await settingUp;
        if (failed !== undefined) return failed;
        ran += 1;
        const output = `${runFolder(run)}/checks/${checks}/accept-${ran}.txt`;
        return { ...(await workspace.run({ argv, directory, marker, output }, signal)), from };
      },
    });
  } finally {
    await removeRoom(repository, { folder });
  }
}

/** The merged work has a file or symlink where a configured path has to go. */
function isInTheWay(error: unknown): error is Error {
  return error instanceof DivisiError || ['EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '');
}
