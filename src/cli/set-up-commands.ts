/** The commands about what is there before a run: programs, agents, the project's folder. Each does its work in a file of its own. */
import type { Command } from 'commander';
import { answer, command, type JsonOption } from './define-command.ts';
import type { TrialOptions } from './try/try.ts';

export function addSetUp(program: Command): void {
  command(program, 'agents', 'the programs that can run agents, and the agents there are', 'divisi agents')
    .addHelpText(
      'after',
      '\nPrograms are looked up on the PATH and asked for their version; nothing else is started.\nAgents come from Divisi, .claude/agents/ and .divisi/agents/.\n',
    )
    .action(async (options: JsonOption) =>
      answer(options, async (project) => (await import('./set-up/agents.ts')).agents(project)),
    );
  command(program, 'doctor', 'whether runs will work here, and what to do where they will not', 'divisi doctor')
    .addHelpText(
      'after',
      '\nOf keys and tokens it says whether they are set, by name, and never shows one. Exit code 1: there is a problem.\n',
    )
    .action(async (options: JsonOption) =>
      answer(options, async (project) => (await import('./set-up/doctor.ts')).doctor(project)),
    );
  command(program, 'init', 'write a config with comments, where there is none', 'divisi init')
    .addHelpText(
      'after',
      '\nA config that is there is never changed. The driver is the first agent program on the PATH.\n',
    )
    .action(async (options: JsonOption) =>
      answer(options, async (project) => (await import('./set-up/init.ts')).init(project)),
    );
  command(
    program,
    'try <agent> <prompt>',
    'give one task to an agent, and see what it does with it',
    'divisi try codex "Say in HELLO.md what this project is."',
  )
    .option('--driver <name>', 'the driver that runs it, where AGENT is a role')
    .option('--role <name>', 'the role, where AGENT is a driver; else worker')
    .option('--tier <tier>', 'fast, standard or deep')
    .option('--timeout <seconds>', 'how long it may take')
    .option('--keep', 'keep the folder it worked in, and its branch')
    .addHelpText('after', whoIsTried)
    .action(async (agent: string, prompt: string, options: TrialOptions) =>
      answer(options, async (project) => (await import('./try/try.ts')).tryAgent(project, agent, prompt, options)),
    );
}

const whoIsTried = `
AGENT is a program (claude, codex, …), a driver of .divisi/config.yaml, or a role (worker, one of .divisi/agents): see divisi agents.
It works in a folder of its own, from your last commit, as in a run; nothing is merged, and no run begins. The folder goes
afterwards, unless --keep is given or the work did not hold. Ctrl-C ends it, and leaves nothing.

Exit codes: 0 completed and verified, 1 not, 2 usage or unusable input, 4 cancelled.
`;
