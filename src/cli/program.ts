/** The command line: parses, calls the one file a command stands in, writes its answer, sets the exit code. */
import { defined } from '../base/defined.ts';
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { type DivisiError, divisiError } from '../base/error.ts';
import { addTaskCommands } from './task-commands.ts';
import { addCompletion } from './completion-commands.ts';
import { answer, command, group, type JsonOption } from './define-command.ts';
import { addDoors } from './door-commands.ts';
import { exitCodes, loseOutput, writeError } from './output.ts';
import { ownVersion } from './own-version.ts';
import { byOption, type ByOption } from './contract/return-way-option.ts';
import { addFeatures } from './feature-commands.ts';
import { addRuns } from './run-commands.ts';
import { addSetUp } from './set-up-commands.ts';
import { addBacklogCommands } from './backlog-commands.ts';
import { addWorkCommands } from './work-commands.ts';

function addReturnOptions(target: Command): Command {
  return target
    .option('--root <dir>', 'also look on disk, in this project: artifacts exist, are not empty, stay inside')
    .option('--session <id>', 'the delegation the return must belong to');
}

function addContract(program: Command): void {
  const contract = group(
    program,
    'contract',
    'what agents must return, and whether a return is accepted',
    'divisi contract check code-reviewer return.txt',
  );
  command(contract, 'list', 'list the contracts of this project', 'divisi contract list').action(
    async (options: JsonOption) =>
      answer(options, async (project) => (await import('./contract/contract-list.ts')).contractList(project)),
  );
  command(contract, 'show <name>', 'show a contract', 'divisi contract show code-reviewer --json-schema')
    .option('--json-schema', 'show what must be returned as a JSON Schema')
    .action(async (name: string, options: JsonOption & { jsonSchema?: boolean }) =>
      answer(options, async (project) =>
        (await import('./contract/contract-show.ts')).contractShow(project, name, options.jsonSchema === true),
      ),
    );
  command(
    contract,
    'prompt <name>',
    "print what to append to an agent's prompt",
    'divisi contract prompt worker-report --report-path out/1.1.md',
  )
    .option('--report-path <path>', 'where the agent writes its report')
    .option('--session <id>', 'the delegation id to name')
    .addOption(byOption())
    .action(async (name: string, options: JsonOption & ByOption & { reportPath?: string; session?: string }) =>
      answer(options, async (project) => {
        const { reportPath, session, by = 'message' } = options;
        const given = {
          by,
          ...defined({ reportPath, delegationId: session }),
        };
        return (await import('./contract/contract-prompt.ts')).contractPrompt(project, name, given);
      }),
    );
  addReturnOptions(
    command(
      contract,
      'check <name> [file]',
      'read a return: is it accepted, and what enters a context',
      'divisi contract check code-reviewer return.txt',
    ),
  ).action(async (name: string, file: string | undefined, options: JsonOption & { root?: string; session?: string }) =>
    answer(options, async (project) =>
      (await import('./contract/contract-check.ts')).contractCheck(project, name, file ?? '-', options),
    ),
  );
  addReturnOptions(
    command(
      contract,
      'repair <name> [file]',
      'write the message that asks an agent to repair its return',
      'pbpaste | divisi contract repair code-reviewer -',
    ),
  ).action(async (name: string, file: string | undefined, options: JsonOption & { root?: string; session?: string }) =>
    answer(options, async (project) =>
      (await import('./contract/contract-repair.ts')).contractRepair(project, name, file ?? '-', options),
    ),
  );
}

function addAssignment(program: Command): void {
  const assignment = group(
    program,
    'assignment',
    'the assignment an agent is given',
    'divisi assignment check assignment.json',
  );
  command(assignment, 'check [file]', 'check an assignment', 'divisi assignment check assignment.json').action(
    async (file: string | undefined, options: JsonOption) =>
      answer(options, async () => (await import('./contract/assignment.ts')).assignmentCheck(file ?? '-')),
  );
  command(
    assignment,
    'prompt [file]',
    "print the agent's whole prompt for an assignment",
    'divisi assignment prompt assignment.json',
  )
    .addOption(byOption())
    .action(async (file: string | undefined, options: JsonOption & ByOption) =>
      answer(options, async (project) =>
        (await import('./contract/assignment.ts')).assignmentPrompt(project, file ?? '-', options.by),
      ),
    );
}

const howToUse = 'Run the command with --help to see how it is used.';

/** Whether a program reads the answer, said before the command line could be read. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).includes('--json');
}

const isForPrograms = wantsJson(process.argv.slice(2));

function build(): Command {
  const program = new Command('divisi')
    .description('a lean orchestrator for coding agents')
    .version(ownVersion())
    .exitOverride()
    .showHelpAfterError(howToUse)
    .configureOutput(isForPrograms ? { writeErr: () => undefined } : {})
    .addHelpText(
      'after',
      '\nExit codes: 0 completed or valid, 1 failed or violations, 2 usage or unusable input, 3 paused, 4 cancelled, 5 paused until you have answered, 70 a fault of Divisi itself, 74 the answer could not be written\n\nExample:\n  divisi run plan.md\n',
    );
  addRuns(program);
  addFeatures(program);
  addWorkCommands(program);
  addBacklogCommands(program);
  addTaskCommands(program);
  addSetUp(program);
  addDoors(program);
  addContract(program);
  addAssignment(program);
  addCompletion(program);
  return program;
}

/** Where it shows help instead of a message, no command was meant that it knows. */
function usageError({ code, message }: CommanderError): DivisiError {
  const said = code === 'commander.help' ? 'no known command was given' : message.replace(/^error: /, '');
  return divisiError('USAGE', { message: said, next: howToUse });
}

/** A terminal that is gone takes no warnings; what was to be warned of goes on all the same. */
process.stderr.on('error', () => undefined);

let isUnwritten = false;
/** A reader that closes the pipe early (`divisi … | head`) is no error; a full disk must not look like a verdict. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isUnwritten) return;
  isUnwritten = true;
  const isGone = error.code === 'EPIPE';
  if (!isGone) process.stderr.write(`divisi: the answer could not be written: ${error.message}\n`);
  // Whoever works on a run ends its children first.
  if (!loseOutput()) process.exit(isGone ? undefined : exitCodes.unwritten);
});

export async function runCommand(): Promise<void> {
  try {
    await build().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has printed its message, for people; asking for help or the version is not a mistake.
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
      if (isForPrograms && error.exitCode !== 0) writeError(usageError(error), true);
    } else {
      process.stderr.write(`divisi: this should not have happened\n${inspect(error)}\n`);
      process.exitCode = exitCodes.internal;
    }
  }
}
