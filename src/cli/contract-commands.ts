/** Defines the commands for contracts and assignments. */
import { type Command, Option } from 'commander';
import { defined } from '../base/defined.ts';
import { type ReturnWay, returnWays } from '../contracts/return-way.ts';
import { answer, type CliCommands, command, group, type JsonOption } from './define-command.ts';

interface ByOption {
  readonly by?: ReturnWay;
}

const byOption = (): Option =>
  new Option(
    '--by <way>',
    'how the agent returns: last message, submit_result tool (with the report in it), schema, or exit code',
  ).choices(returnWays);

function addReturnOptions(target: Command): Command {
  return target
    .option('--root <dir>', 'also check on disk, in this project: artifacts exist, are not empty, stay inside')
    .option('--session <id>', 'delegation the return must belong to');
}

function addContract(program: Command): void {
  const contract = group(
    program,
    'contract',
    'show what agents must return, and check returns',
    'divisi contract check code-reviewer return.txt',
  );
  command(contract, 'list', 'list the contracts of this project', 'divisi contract list').action(
    async (options: JsonOption) =>
      answer(options, async (project) => (await import('./contract/contract-show.ts')).contractList(project)),
  );
  command(contract, 'show <name>', 'show a contract', 'divisi contract show code-reviewer --json-schema')
    .option('--json-schema', 'print the JSON Schema of a return')
    .action(async (name: string, options: JsonOption & { jsonSchema?: boolean }) =>
      answer(options, async (project) =>
        (await import('./contract/contract-show.ts')).contractShow(project, name, options.jsonSchema === true),
      ),
    );
  addContractPrompt(contract);
  addReturnOptions(
    command(
      contract,
      'check <name> [file]',
      'check a return, and print its result brief',
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
      'print the message that asks an agent to repair its return',
      'pbpaste | divisi contract repair code-reviewer -',
    ),
  ).action(async (name: string, file: string | undefined, options: JsonOption & { root?: string; session?: string }) =>
    answer(options, async (project) =>
      (await import('./contract/contract-check.ts')).contractRepair(project, name, file ?? '-', options),
    ),
  );
}

function addContractPrompt(contract: Command): void {
  command(
    contract,
    'prompt <name>',
    "print what to append to an agent's prompt",
    'divisi contract prompt worker-report --report-path out/1.1.md',
  )
    .option('--report-path <path>', 'path the agent writes its report to')
    .option('--session <id>', 'delegation id to name')
    .addOption(byOption())
    .action(async (name: string, options: JsonOption & ByOption & { reportPath?: string; session?: string }) =>
      answer(options, async (project) => {
        const { reportPath, session, by = 'message' } = options;
        const given = { by, ...defined({ reportPath, delegationId: session }) };
        return (await import('./contract/contract-show.ts')).contractPrompt(project, name, given);
      }),
    );
}

function addAssignment(program: Command): void {
  const assignment = group(
    program,
    'assignment',
    'check the assignment of an agent, and print its prompt',
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

export const contractCommands: CliCommands = { contract: addContract, assignment: addAssignment };
