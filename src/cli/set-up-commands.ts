/** The commands about what is there before a run: programs, agents, the project's folder. Each does its work in a file of its own. */
import type { Command } from 'commander';
import { answer, command, type JsonOption } from './define-command.ts';

export function addSetUp(program: Command): void {
  command(program, 'agents', 'the programs that can run agents, and the agents there are', 'tutti agents')
    .addHelpText(
      'after',
      '\nPrograms are looked up on the PATH and asked for their version; nothing else is started.\nAgents come from Tutti, .claude/agents/ and .tutti/agents/.\n',
    )
    .action(async (options: JsonOption) =>
      answer(options, async (project) => (await import('./agents.ts')).agents(project)),
    );
  command(program, 'doctor', 'whether runs will work here, and what to do where they will not', 'tutti doctor')
    .addHelpText(
      'after',
      '\nOf keys and tokens it says whether they are set, by name, and never shows one. Exit code 1: there is a problem.\n',
    )
    .action(async (options: JsonOption) =>
      answer(options, async (project) => (await import('./doctor.ts')).doctor(project)),
    );
  command(program, 'init', 'write a config with comments, where there is none', 'tutti init')
    .addHelpText(
      'after',
      '\nA config that is there is never changed. The driver is the first agent program on the PATH.\n',
    )
    .action(async (options: JsonOption) =>
      answer(options, async (project) => (await import('./init.ts')).init(project)),
    );
}
