/** Defines commands: description, example, `--json`, and one way to answer and to fail. */
import type { Command } from 'commander';
import { DivisiError } from '../base/error.ts';
import { strayLedger } from '../project/stray-ledger.ts';
import { findProject } from '../workspace/find-project.ts';
import { isTerminal } from './ask.ts';
import { type Answer, exitCodes, writeAnswer, writeError } from './output.ts';

/** Commands by name, in the order of `divisi --help`. Only the command on the command line is defined, unless all are needed. */
export type CliCommands = Readonly<Record<string, (program: Command) => void>>;

export const whichRun = '\nRUN is a run id or its beginning. Default: the active run, else the newest.\n';
export const whichWork = '\nWHAT is RUN, TASK or RUN/TASK. Default: the active run, else the newest.\n';

export const aboutHelp = 'show help for a command';

export interface JsonOption {
  readonly json?: boolean;
}

/** Runs a command, prints its answer and sets the exit code. */
export async function answer(options: JsonOption, work: (project: string) => Promise<Answer> | Answer): Promise<void> {
  try {
    const project = findProject(process.cwd());
    const stray = strayLedger(project);
    if (stray !== undefined) process.stderr.write(`divisi: ${stray}\n`);
    const given = await (options.json === true ? work(project) : askingForTrust(project, work));
    writeAnswer(given, options.json === true);
    process.exitCode = given.code;
  } catch (error) {
    if (!(error instanceof DivisiError)) throw error;
    writeError(error, options.json === true);
    process.exitCode = exitCodes.usage;
  }
}

/** Work refuses a project that is not trusted before it has done anything: with a yes, it begins again. */
async function askingForTrust(project: string, work: (project: string) => Promise<Answer> | Answer): Promise<Answer> {
  try {
    return await work(project);
  } catch (error) {
    if (!(error instanceof DivisiError) || error.code !== 'PROJECT_UNTRUSTED' || !isTerminal()) throw error;
    const { askForTrust } = await import('./ask-for-trust.ts');
    if (await askForTrust(project)) return work(project);
    return { code: exitCodes.usage, json: undefined, text: 'nothing was started' };
  }
}

function described(parent: Command, usage: string, description: string, example: string): Command {
  return parent.command(usage).description(description).addHelpText('after', `\nExample:\n  ${example}`);
}

export function group(parent: Command, usage: string, description: string, example: string): Command {
  return described(parent, usage, description, example).helpCommand('help [command]', aboutHelp);
}

export function command(parent: Command, usage: string, description: string, example: string): Command {
  return described(parent, usage, description, example).option('--json', 'print JSON');
}
