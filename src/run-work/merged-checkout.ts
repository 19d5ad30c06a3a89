/** Opens a clean checkout of a run's merged work, for commands that test it as a whole. */
import { defined } from '../base/defined.ts';
import { systemCode, DivisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import type { AcceptCommand } from '../core/decide/accept-commands.ts';
import { commandKey } from '../base/command-key.ts';
import type { CommandRun, WorkspaceFacts } from '../core/event/verification.ts';
import type { RanCheck } from '../verify/run-check.ts';
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
  /** Its set-up; the current one by default. */
  readonly facts?: WorkspaceFacts;
  /** Marks its processes. */
  readonly marker: string;
  /** Shown by `divisi status`. */
  readonly purpose?: 'canary';
  /** Runs the set-up commands, whether there is a seed or not. */
  readonly ignoresSeeds?: true;
}

export interface OpenCheckout {
  /** Absolute: the top of the folder. */
  readonly folder: string;
  /** Absolute: the project inside the folder. */
  readonly directory: string;
  /** Sets up the folder before the first command; a failed set-up is the result of every command. */
  readonly check: (command: AcceptCommand, isAgain: boolean) => Promise<RanCheck>;
}

/** Removes the folder when the work is done. */
export async function inMergedCheckout<T>(
  {
    workspace,
    run,
    name,
    checks,
    commit,
    facts = workspace.facts,
    marker: delegation,
    purpose,
    ignoresSeeds,
  }: MergedCheckout,
  signal: AbortSignal,
  work: (checkout: OpenCheckout) => Promise<T>,
): Promise<T> {
  const { repository } = workspace;
  const marker = { run, delegation };
  const given = defined({ ignoresSeeds });
  const { folder, directory } = await openCheckout(repository, { run, name, commit, identity: facts.identity }, signal);
  const outputs = new Map<string, number>();
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
    return workspace.setUp({ folder, directory, tree: commit, facts, marker, name: checks, ...given }, signal);
  }
  try {
    return await work({
      folder,
      directory,
      async check(wanted, isAgain) {
        const { argv } = wanted;
        settingUp ??= setUp(wanted);
        const failed = await settingUp;
        if (failed !== undefined) return { ran: failed, errors: [], outside: [], isSetUp: true };
        const key = commandKey(argv);
        const number = outputs.get(key) ?? outputs.size + 1;
        outputs.set(key, number);
        const output = `${runFolder(run)}/checks/${checks}/accept-${number}${isAgain ? '-again' : ''}.txt`;
        return workspace.check({ argv, directory, marker, output, ...defined({ purpose }) }, signal);
      },
    });
  } finally {
    await removeRoom(repository, { folder, warn: workspace.warn });
  }
}

/** The merged work has a file or symlink where a configured path has to go. */
function isInTheWay(error: unknown): error is Error {
  return error instanceof DivisiError || ['EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '');
}
