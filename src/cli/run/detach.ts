/** `--detach`: starts the same command as a process of its own, which survives the terminal, and says how to follow its run. */
import { divisiError } from '../../base/error.ts';
import { runFolder } from '../../delegation/delegation-files.ts';
import { startDivisi } from '../../mcp/start-divisi.ts';
import { type Answer, exitCodes } from '../output.ts';
import { requireTrust } from '../../project/trust/trust.ts';

export interface DetachOptions {
  readonly detach?: boolean;
  readonly mode?: string;
}

/** Throws what refuses the run, as the command itself would. */
export async function detach(project: string, what: readonly string[], options: DetachOptions): Promise<Answer> {
  const fault = what.includes('-') ? 'a plan on standard input' : options.mode === 'plan' ? '--mode plan' : undefined;
  if (fault !== undefined) {
    throw divisiError('USAGE', {
      message: `--detach and ${fault} contradict each other`,
      next: 'Name a plan file to run, or leave out `--detach`.',
    });
  }
  requireTrust({ project, environment: process.env });
  const divisi = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
  const start = { project, divisi, environment: process.env, directory: process.cwd(), keepsOutput: true };
  const run = await startDivisi(start, detachedWords(process.argv.slice(2)));
  const log = `${runFolder(run)}/divisi.log`;
  const text = [
    `${run} runs in the background`,
    `  follow it: divisi events ${run} --follow; divisi status ${run}`,
    `  stop it:   divisi pause ${run}`,
    `  its log:   ${log}; every event and the result: ${runFolder(run)}/divisi.jsonl`,
  ].join('\n');
  return { code: exitCodes.completed, json: { run, log, events: `${runFolder(run)}/divisi.jsonl` }, text };
}

/** The words of the command line without `--detach`, and with `--json`. */
function detachedWords(words: readonly string[]): string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const options = words.slice(0, end).filter((word) => word !== '--detach' && word !== '--json');
  return [...options, '--json', ...words.slice(end)];
}
