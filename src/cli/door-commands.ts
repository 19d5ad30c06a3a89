/** The other ways into Divisi, as commands: what they are called, what they take. Each is loaded when it is used. */
import type { Command } from 'commander';
import { group } from './define-command.ts';
import type { McpOptions } from './mcp.ts';

const aboutMcp = `
It speaks the Model Context Protocol on standard input and output; a client starts it. Its tools start or resume runs and wait for
them. Runs are processes of their own: they go on when the client or this server ends.
The project: DIR, else CLAUDE_PROJECT_DIR, else the current folder; from there the nearest folder upwards that has a .divisi.
`;

export function addDoors(program: Command): void {
  group(
    program,
    'mcp',
    'serve this project to an MCP client, such as Claude Code',
    'claude mcp add divisi -- divisi mcp',
  )
    .option('--project <dir>', 'the project, where it is not the current folder')
    .option('--trust-plans', 'run the commands of every plan that is named, unasked: all of them are written by people')
    .addHelpText('after', aboutMcp)
    .action(async (options: McpOptions) => (await import('./mcp.ts')).mcp(options, program.version() ?? ''));
}
