/** `divisi mcp`: the server of a project for clients of the Model Context Protocol, over standard input and output. */
import { resolve } from 'node:path';
import { serve } from '../mcp/serve.ts';
import { findProject } from '../workspace/find-project.ts';
import { warn } from './output.ts';

export interface McpOptions {
  readonly project?: string;
  readonly trustPlans?: boolean;
}

/** The process stays until the client is gone; runs go on. */
export async function mcp({ project, trustPlans }: McpOptions, version: string): Promise<void> {
  // A client may start it anywhere, and tell which project it is about.
  const from = resolve(project ?? (process.env['CLAUDE_PROJECT_DIR'] || process.cwd()));
  const main = process.argv[1] ?? '';
  serve({
    project: await findProject(from),
    divisi: [process.execPath, ...process.execArgv, main],
    environment: process.env,
    trustsPlans: trustPlans === true,
    version,
    warn,
  });
}
