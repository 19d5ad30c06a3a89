/** What every command shares: a description, an example, `--json`, one way to answer and to fail. */
import type { Command } from 'commander';
import { DivisiError } from '../base/error.ts';
import { type Answer, exitCodes, writeAnswer, writeError } from './output.ts';

/** How runs and tasks are named, for help. */
export const whichRun =
  '\nRUN is an id or the beginning of one; without it the active run is meant, else the newest.\n';
export const whichWork = '\nWHAT is a run, TASK or RUN/TASK; without it the active run is meant, else the newest.\n';

export interface JsonOption {
  readonly json?: boolean;
}

/** Runs a command's work and ends the process in the way the answer says. */
export async function answer(options: JsonOption, work: (project: string) => Promise<Answer> | Answer): Promise<void> {
  try {
    // Loaded here, so that help and completion need not wait for it.
    const { findProject } = await import('../workspace/own-contracts.ts');
    const given = await work(await findProject(process.cwd()));
    writeAnswer(given, options.json === true);
    process.exitCode = given.code;
  } catch (error) {
    if (!(error instanceof DivisiError)) throw error;
    writeError(error, options.json === true);
    process.exitCode = exitCodes.usage;
  }
}

export function group(parent: Command, usage: string, description: string, example: string): Command {
  return parent.command(usage).description(description).addHelpText('after', `\nExample:\n  ${example}\n`);
}

export function command(parent: Command, usage: string, description: string, example: string): Command {
  return group(parent, usage, description, example).option('--json', 'answer as JSON');
}
