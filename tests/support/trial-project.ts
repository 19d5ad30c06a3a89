/** Projects with a driver `mine` and a role `greeter` that is run by it; and what trials have left in one. */
import { join } from 'node:path';
import { gitIn, gitProject } from './committed-project.ts';
import type { Files } from './temporary-folder.ts';
import { trialAgent } from './trial-agent.ts';
import { divisi } from './divisi.ts';
import { roomsOf } from './rooms.ts';

/** What makes a folder such a project. The agent lies elsewhere. */
export function trialFiles(folder: (files?: Files) => string): Files {
  const agent = join(folder({ 'worker.mjs': trialAgent }), 'worker.mjs');
  const lines = ['kind: acp', `argv: ["${process.execPath}", "${agent}"]`, 'usage: turn', 'trouble: [Authentication]'];
  return {
    '.divisi/config.yaml': `drivers:\n  mine:\n    ${lines.join('\n    ')}\n`,
    '.divisi/agents/greeter.md': '---\nname: greeter\ndriver: mine\ntier: deep\n---\n\nYou greet.\n',
  };
}

export function trialProject(folder: (files?: Files) => string): string {
  return gitProject(folder, { files: trialFiles(folder) });
}

export interface Shown {
  readonly trial: string;
  readonly kept: { readonly folder: string; readonly branch: string } | null;
}

export async function tried(cwd: string, ...args: string[]): Promise<{ code: number | null; shown: Shown }> {
  const { code, stdout } = await divisi(['try', ...args, '--json'], { cwd });
  return { code, shown: JSON.parse(stdout) as Shown };
}

interface Left {
  /** Rooms. */
  readonly folders: readonly string[];
  readonly branches: readonly string[];
}

export const nothing: Left = { folders: [], branches: [] };

/** Without what is the user's. */
export function leftIn(cwd: string): Left {
  const folders = roomsOf(cwd);
  const branches = gitIn(cwd, 'branch', '--format=%(refname:short)').split('\n');
  return { folders, branches: branches.filter((name) => name !== 'main') };
}
