/** A folder with the merged work of a run that nobody has worked in, for commands that say whether it holds together. */
import type { AcceptCommand } from '../core/accept-commands.ts';
import type { CommandRun } from '../core/verification.ts';
import { openCheckout } from '../workspace/git/add-worktree.ts';
import { provide } from '../workspace/git/provide.ts';
import { removeWorktree } from '../workspace/git/remove-worktree.ts';
import { runFolder } from './delegation-files.ts';
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
  /** The folder is set up before the first one. */
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
  try {
    return await work({
      folder,
      directory,
      async command({ argv, from }) {
        if (ran === 0) {
          await provide(repository.project, directory, facts);
          await workspace.setUp(directory, marker, checks, signal);
        }
        ran += 1;
        const output = `${runFolder(run)}/checks/${checks}/accept-${ran}.txt`;
        return { ...(await workspace.run({ argv, directory, marker, output }, signal)), from };
      },
    });
  } finally {
    await removeWorktree(repository, { folder });
  }
}
