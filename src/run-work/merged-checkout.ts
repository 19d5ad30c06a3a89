/** A folder with the merged work of a run that nobody has worked in, for commands that say whether it holds together. */
import { systemCode, DivisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import type { AcceptCommand } from '../core/decide/accept-commands.ts';
import type { CommandRun } from '../core/event/verification.ts';
import { openCheckout } from '../workspace/git/worktree/add-worktree.ts';
import { provide } from '../workspace/git/worktree/provide.ts';
import { removeWorktree } from '../workspace/git/worktree/remove-worktree.ts';
import { runFolder } from '../delegation/delegation-files.ts';
import type { RunWorkspace } from './run-workspace.ts';

export interface MergedCheckout {
  readonly workspace: RunWorkspace;
  readonly run: string;
  /** Of the folder. */
  readonly name: string;
  /** Of the folder with what commands say. */
  readonly checks: string;
  readonly commit: string;
  /** What its processes are marked with. */
  readonly marker: string;
}

export interface OpenCheckout {
  /** Relative to the project. */
  readonly folder: string;
  /** The project inside of it, absolute. */
  readonly directory: string;
  /** The folder is set up before the first one; where that fails, it is the answer to all of them. */
  readonly command: (command: AcceptCommand) => Promise<CommandRun>;
}

/** The folder is gone when the work is done. */
export async function inMergedCheckout<T>(
  { workspace, run, name, checks, commit, marker: delegation }: MergedCheckout,
  signal: AbortSignal,
  work: (checkout: OpenCheckout) => Promise<T>,
): Promise<T> {
  const { repository, facts } = workspace;
  const marker = { run, delegation };
  const { folder, directory } = await openCheckout(repository, { run, name, commit }, signal);
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
    await removeWorktree(repository, { folder });
  }
}

/** The merged work has a file or a link where something of the config is to be put. */
function isInTheWay(error: unknown): error is Error {
  return error instanceof DivisiError || ['EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '');
}
