/**
 * Installed driver: finds the agent program from the project and starts it by its absolute path. Started by name, it would be
 * looked up in the task's folder as well, where an agent may have put another. Creates its own home, if it has one.
 */
import { relative } from 'node:path';
import { messageOf } from '../base/error.ts';
import { findProgram } from '../process/find-program.ts';
import type { AgentEnvironment } from './agent-environment.ts';
import type { Conversation, Driver, DriverTask, Turn } from './driver.ts';
import { makeStateFolder } from '../workspace/state-folder.ts';
import { privateFolderInside } from './inside.ts';
import { beginTurn, markEnd } from './turn-output.ts';

interface InstalledProgram extends Pick<AgentEnvironment, 'own' | 'variables' | 'home'> {
  readonly argv: readonly string[];
  /** Absolute: the folder with `.divisi`. */
  readonly project: string;
}

export function installedDriver(wanted: InstalledProgram, make: (argv: readonly string[]) => Driver): Driver {
  const { argv, project, home, own, variables } = wanted;
  const [program = '', ...words] = argv;
  const prepare: Prepare = async () => {
    const path = await findProgram(program, { ...own, ...variables }, project);
    if (path === undefined) return { fault: notFound(program), isMissing: true };
    const fault = home === undefined ? null : await makeHome(wanted, home);
    return fault === null ? make([path, ...words]) : { fault };
  };
  return preparedDriver(make(argv), prepare);
}

function notFound(program: string): string {
  return program.includes('/')
    ? `${program} does not exist, or this user may not execute it`
    : `${program} was not found on the PATH`;
}

/** The home has the log-in and conversations: for this user alone. */
async function makeHome(
  { project, own }: Pick<InstalledProgram, 'project' | 'own'>,
  home: string,
): Promise<string | null> {
  const state = makeStateFolder(project, own);
  return (await privateFolderInside(state, 'homes')) ?? privateFolderInside(state, relative(state, home));
}

/** The driver to use, or why there is none. A rejection counts as a reason. */
type Prepare = () => Promise<Driver | { readonly fault: string; readonly isMissing?: true }>;

/**
 * Prepares when a conversation starts, not when the driver is named: a run may last for days.
 *
 *   preparing → started, or failed (not-started)        closed or cancelled meanwhile: nothing is started
 */
function preparedDriver(named: Driver, prepare: Prepare): Driver {
  return {
    ...named,
    start: (task, signal, note) => {
      let isClosed = false;
      let conversation: Conversation | undefined;
      const begin = async (): Promise<Turn> => {
        const ready = await prepare().catch((error: unknown) => ({ fault: messageOf(error) }));
        if (isClosed || signal.aborted) return unstarted(task, { end: 'cancelled', said: '' });
        if ('fault' in ready) {
          const { fault: message, ...why } = ready;
          return unstarted(task, { end: 'failed', cause: 'not-started', message, said: '', ...why });
        }
        conversation = ready.start(task, signal, note);
        return conversation.first;
      };
      const first = begin();
      return {
        first,
        repair: (message) => conversation?.repair(message) ?? null,
        close: async () => {
          isClosed = true;
          if (conversation === undefined) await first.catch(() => undefined);
          await conversation?.close();
        },
      };
    },
  };
}

/** Leaves an empty output for a later recovery to find. */
async function unstarted({ outputFile }: DriverTask, turn: Turn): Promise<Turn> {
  try {
    await beginTurn(outputFile);
    return await markEnd(outputFile, turn);
  } catch (error) {
    return { end: 'failed', cause: 'not-started', message: messageOf(error), said: '' };
  }
}
