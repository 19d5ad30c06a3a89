/**
 * Before an agent program is started: it is looked for, from the project, and started by its absolute path. By its name it would
 * be looked for once more, in the folder of the task as well, where an agent may have put another. Its home, where it has its
 * own, is there when it starts.
 */
import { dirname, join, relative } from 'node:path';
import { messageOf } from '../base/error.ts';
import { findProgram } from '../process/find-program.ts';
import type { AgentEnvironment } from './agent-environment.ts';
import type { Conversation, Driver, DriverTask, Turn } from './driver.ts';
import { privateFolderInside, writeInside } from './inside.ts';
import { beginTurn, markEnd } from './turn-output.ts';

interface Wanted extends Pick<AgentEnvironment, 'own' | 'variables' | 'home'> {
  readonly argv: readonly string[];
  /** Absolute: the folder with `.divisi`. */
  readonly project: string;
}

export function installedDriver(wanted: Wanted, make: (argv: readonly string[]) => Driver): Driver {
  const { argv, project, home, own, variables } = wanted;
  const [program = '', ...words] = argv;
  const prepare: Prepare = async () => {
    const path = await findProgram(program, { ...own, ...variables }, project);
    if (path === undefined) return { missing: notFound(program) };
    const fault = home === undefined ? null : await makeHome(project, home);
    return fault === null ? make([path, ...words]) : { missing: fault };
  };
  return preparedDriver(make(argv), prepare);
}

function notFound(program: string): string {
  return program.includes('/')
    ? `${program} is not there, or may not be executed by this user`
    : `${program} was not found on the PATH`;
}

/** A program keeps its log-in and its conversations there. They are not for version control, whatever `.divisi/.gitignore` says. */
async function makeHome(project: string, home: string): Promise<string | null> {
  const path = relative(project, home);
  return (
    (await privateFolderInside(project, path)) ?? (await writeInside(project, join(dirname(path), '.gitignore'), '*\n'))
  );
}

/** The driver that is ready, or why there is none. A rejection is a reason as well. */
type Prepare = () => Promise<Driver | { readonly missing: string }>;

function preparedDriver(named: Driver, prepare: Prepare): Driver {
  return {
    ...named,
    start: (task, signal, note) => {
      let isClosed = false;
      let conversation: Conversation | undefined;
      const begin = async (): Promise<Turn> => {
        const ready = await prepare().catch((error: unknown) => ({ missing: messageOf(error) }));
        if (isClosed || signal.aborted) return unstarted(task, { end: 'cancelled', said: '' });
        if ('missing' in ready) {
          return unstarted(task, { end: 'failed', cause: 'not-started', message: ready.missing, said: '' });
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

/** Whoever looks for what it said later finds that it said nothing. */
async function unstarted({ outputFile }: DriverTask, turn: Turn): Promise<Turn> {
  try {
    await beginTurn(outputFile);
    return await markEnd(outputFile, turn);
  } catch (error) {
    return { end: 'failed', cause: 'not-started', message: messageOf(error), said: '' };
  }
}
