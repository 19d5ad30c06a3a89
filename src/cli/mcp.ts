/** `divisi mcp`: serves a project over the Model Context Protocol, on standard input and output. */
import { resolve } from 'node:path';
import { serve } from '../mcp/serve.ts';
import { strayLedger } from '../project/stray-ledger.ts';
import { findProject } from '../workspace/find-project.ts';
import { warn } from './output.ts';

export interface McpOptions {
  readonly project?: string;
  readonly trustPlans?: boolean;
}

/** Serves until the client disconnects; runs continue. */
export async function mcp({ project, trustPlans }: McpOptions, version: string): Promise<void> {
  // A client may start it in any folder and name the project.
  const from = resolve(project ?? (process.env['CLAUDE_PROJECT_DIR'] || process.cwd()));
  const main = process.argv[1] ?? '';
  const found = findProject(from);
  const stray = strayLedger(found);
  if (stray !== undefined) warn(new Error(stray));
  serve({
    project: found,
    divisi: [process.execPath, ...process.execArgv, main],
    environment: process.env,
    trustsPlans: trustPlans === true,
    version,
    warn,
  });
}
