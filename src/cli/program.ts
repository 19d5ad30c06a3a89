/** The command line: defines the commands, parses the arguments, and turns every end into an exit code. */
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { DivisiError, divisiError } from '../base/error.ts';
import { backlogCommands } from './backlog-commands.ts';
import { contractCommands } from './contract-commands.ts';
import { aboutHelp, type CliCommands } from './define-command.ts';
import { lookCommands } from './look-commands.ts';
import { exitCodes, loseOutput, writeError } from './output.ts';
import { ownVersion } from './own-version.ts';
import { refuseCommandOfAgent } from './refuse-agents.ts';
import { runCommands } from './run-commands.ts';
import { setUpCommands } from './set-up-commands.ts';

/** By their headings in `divisi --help`. */
const groups: Readonly<Record<string, CliCommands>> = {
  'Run:': runCommands,
  'Inspect and merge:': lookCommands,
  'Backlog tasks:': backlogCommands,
  'Set up:': setUpCommands,
  'Contracts:': contractCommands,
};

const exits = `
Exit codes: 0 completed or valid, 1 failed or violations, 2 usage or unusable input, 3 paused, 4 cancelled,
5 paused until you answer, 70 internal error, 74 output could not be written

Example:
  divisi run plan.md
`;

const howToUse = 'Run the command with --help to see how it is used.';

/** Whether `--json` was given; asked before the command line is parsed. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).includes('--json');
}

const isForPrograms = wantsJson(process.argv.slice(2));

function build([name = '']: readonly string[]): Command {
  const program = new Command('divisi')
    .description('a lean orchestrator for coding agents')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .showHelpAfterError(howToUse)
    .configureOutput(isForPrograms ? { writeErr: () => undefined } : {})
    .addHelpText('after', exits)
    // Help is given to everybody.
    .hook('preAction', (_, given) => refuseCommandOfAgent(firstWord(given)));
  const known = Object.values(groups).find((commands) => Object.hasOwn(commands, name));
  // Defining all commands takes longer than running one that only looks.
  if (known !== undefined) known[name]?.(program);
  else defineAll(program);
  return program;
}

function firstWord(command: Command): string {
  const { parent } = command;
  return parent?.parent == null ? command.name() : firstWord(parent);
}

/** All commands, in the order of `divisi --help`. */
export function defineAll(program: Command): void {
  program.addHelpCommand(new Command('help').argument('[command]').description(aboutHelp).helpGroup('Set up:'));
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const define of Object.values(commands)) define(program);
  }
  program.command('complete [words...]', { hidden: true }).action(async (words: string[]) => {
    process.stdout.write(await (await import('./completion/complete.ts')).complete(program, words));
  });
}

/** Commander shows help instead of a message when it knows no command of that name. */
function usageError({ code, message }: CommanderError): DivisiError {
  const said = code === 'commander.help' ? 'no known command was given' : message.replace(/^error: /, '');
  return divisiError('USAGE', { message: said, next: howToUse });
}

/** A closed terminal takes no warnings, and that does not stop the work. */
process.stderr.on('error', () => undefined);

let isUnwritten = false;
/** A reader that closes the pipe early (`divisi … | head`) is not an error; a full disk must not look like a verdict. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isUnwritten) return;
  isUnwritten = true;
  const isGone = error.code === 'EPIPE';
  if (!isGone) process.stderr.write(`divisi: the answer could not be written: ${error.message}\n`);
  // A command that runs agents stops them first.
  if (!loseOutput()) process.exit(isGone ? undefined : exitCodes.unwritten);
});

export async function runCommandLine(): Promise<void> {
  try {
    await build(process.argv.slice(2)).parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed its message, for people; asking for help or the version is not a mistake.
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
      if (isForPrograms && error.exitCode !== 0) writeError(usageError(error), true);
    } else if (error instanceof DivisiError) {
      writeError(error, isForPrograms);
      process.exitCode = exitCodes.usage;
    } else {
      process.stderr.write(`divisi: internal error, please report it\n${inspect(error)}\n`);
      process.exitCode = exitCodes.internal;
    }
  }
}
