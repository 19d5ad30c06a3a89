/** Fills in the options that a program leaves out: it needs a project and nothing else. */
import { resolve } from 'node:path';
import { messageOf } from '../base/error.ts';
import type { RunOptions } from '../scheduler/agent-run.ts';

/** Everything but the project has a default: this process's environment and command line, and Node's warnings. */
export interface GivenOptions extends Pick<RunOptions, 'project'>, Partial<Omit<RunOptions, 'project'>> {}

export function withDefaults<Given extends GivenOptions>(given: Given): Given & RunOptions {
  return {
    ...given,
    project: resolve(given.project),
    environment: given.environment ?? process.env,
    command: given.command ?? process.argv.join(' '),
    seen: given.seen ?? (() => undefined),
    warn: given.warn ?? ((error) => process.emitWarning(messageOf(error), 'DivisiWarning')),
  };
}
