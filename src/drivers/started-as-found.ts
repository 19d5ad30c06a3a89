/**
 * Before an agent program is started: it is looked for, from the project, and started by its absolute path. By its name it would
 * be looked for once more, in the folder of the task as well, where an agent may have put another. Its home, where it has its
 * own, is there when it starts.
 */
import { dirname, join, relative } from 'node:path';
import { findProgram } from '../process/find-program.ts';
import type { AgentEnvironment } from './agent-environment.ts';
import type { Driver } from './driver.ts';
import { privateFolderInside, writeInside } from './inside.ts';
import { type Prepare, preparedDriver } from './prepared-driver.ts';

interface Wanted extends Pick<AgentEnvironment, 'own' | 'variables' | 'home'> {
  readonly argv: readonly string[];
  /** Absolute: the folder with `.divisi`. */
  readonly project: string;
}

export function startedAsFound(wanted: Wanted, make: (argv: readonly string[]) => Driver): Driver {
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
