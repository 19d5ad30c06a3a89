/**
 * Starts a `divisi` command as a detached process that survives the server and the client, and learns its run from its first line or from
 * the leases in the ledger. Never assumes the newest run: other processes start runs too.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { divisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import type { RunId } from '../base/ids.ts';
import { spawnDetached } from '../process/spawn-detached.ts';
import { runFolder } from '../delegation/delegation-files.ts';
import { folderInside } from '../workspace/project-path.ts';
import type { ServerDeps } from './server-deps.ts';
import { refusalOf, refusalSchema } from './refusal.ts';
import { findRunHeldBy } from './find-held-run.ts';

/** An event, the result of a finished command, or a refusal. */
const said = z.union([refusalSchema, z.object({ run: z.string() })]);

/** Milliseconds between two looks. */
const pace = 20;

export interface DivisiStart extends Pick<ServerDeps, 'project' | 'divisi' | 'environment'> {
  /** Where paths in the words begin; absent: in the project. */
  readonly directory?: string;
  /** Keeps what the process prints in the run's folder, beside its log. */
  readonly keepsOutput?: boolean;
}

/** `words` include `--json`. Resolves once the run is in the ledger. Throws the refusals of the started process. */
export async function startDivisi(start: DivisiStart, words: readonly string[]): Promise<RunId> {
  const { project, divisi, environment, directory = project } = start;
  const folder = await folderInside(project, '.divisi/runs');
  const name = join(folder, `.start-${randomBytes(8).toString('hex')}`);
  const [stdout, stderr] = [`${name}.out`, `${name}.log`];
  const argv = [...divisi, ...words];
  const since = Date.now();
  const child = spawnDetached({ argv, directory, environment, stdout, stderr });
  try {
    for (;;) {
      const end = child.ended();
      const text = await readFile(stdout, 'utf8').catch(() => '');
      const run = runIn(text.slice(0, text.indexOf('\n') + 1)) ?? (end === undefined ? undefined : runIn(text));
      const found = run ?? findRunHeldBy(project, child.pid, since);
      if (found !== undefined) {
        await keep(project, found, stderr, 'divisi.log');
        if (start.keepsOutput === true) await keep(project, found, stdout, 'divisi.jsonl');
        return found;
      }
      if (end !== undefined) throw notBegun(end, await readFile(stderr, 'utf8').catch(() => ''));
      await sleep(pace);
    }
  } finally {
    // Everything is in the ledger; the process keeps writing to the unlinked file.
    await rm(stdout, { force: true }).catch(() => undefined);
    await rm(stderr, { force: true }).catch(() => undefined);
  }
}

/** Undefined while the text is incomplete. */
function runIn(text: string): RunId | undefined {
  try {
    const read = said.parse(JSON.parse(text));
    if (!('ok' in read)) return read.run as RunId;
    throw refusalOf(read);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Keeps what the process writes with the run. */
async function keep(project: string, run: RunId, file: string, name: string): Promise<void> {
  const folder = await folderInside(project, runFolder(run));
  await rename(file, join(folder, name)).catch(() => undefined);
}

function notBegun(end: string, stderr: string): Error {
  return divisiError('USAGE', {
    message: `divisi did not start: ${end}${stderr === '' ? '' : `: ${oneLine(stderr, 300)}`}`,
    next: 'Run `divisi doctor` in a terminal; it reports what is missing.',
  });
}
