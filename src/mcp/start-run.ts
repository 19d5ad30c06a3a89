/**
 * Starts `tutti run`, `tutti resume` or another command as a process of its own, which neither the server's end nor the client's reaches, and
 * learns from its first line which run it works on: not by looking for the newest, for others begin runs as well.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { tuttiError } from '../contracts/error.ts';
import { oneLine } from '../contracts/flatten.ts';
import type { RunId } from '../contracts/ids.ts';
import { spawnDetached } from '../process/spawn-detached.ts';
import { runFolder } from '../delegation/delegation-files.ts';
import { folderInside } from '../workspace/atomic-file.ts';
import type { Place } from './place.ts';
import { refusalOf, refusalSchema } from './refusal.ts';

const text = z.string();
const firstLine = z.union([z.object({ run: text, kind: text }), refusalSchema]);

/** Milliseconds between two looks. */
const pace = 20;

/** `words` have `--json` in them. The run is on record and held when this resolves. What Tutti refuses, it refuses here as it would in a terminal. */
export async function startRun(place: Place, words: readonly string[]): Promise<RunId> {
  const { project, tutti, environment } = place;
  const folder = await folderInside(project, '.tutti/runs');
  const name = join(folder, `.start-${randomBytes(8).toString('hex')}`);
  const [stdout, stderr] = [`${name}.out`, `${name}.log`];
  const argv = [...tutti, ...words];
  const child = spawnDetached({ argv, directory: project, environment, stdout, stderr });
  try {
    for (;;) {
      const end = child.ended();
      const line = await beginning(stdout);
      if (line !== undefined) return await taken(project, line, stderr);
      if (end !== undefined) throw notBegun(end, await readFile(stderr, 'utf8').catch(() => ''));
      await sleep(pace);
    }
  } finally {
    // All of it is in the ledger; it goes on writing to what has no name any more.
    await rm(stdout, { force: true }).catch(() => undefined);
    await rm(stderr, { force: true }).catch(() => undefined);
  }
}

async function beginning(file: string): Promise<string | undefined> {
  const said = await readFile(file, 'utf8').catch(() => '');
  const end = said.indexOf('\n');
  return end === -1 ? undefined : said.slice(0, end);
}

async function taken(project: string, line: string, stderr: string): Promise<RunId> {
  const said = firstLine.parse(JSON.parse(line));
  if ('ok' in said) throw refusalOf(said);
  const folder = await folderInside(project, runFolder(said.run));
  // What it warns of, for whoever wonders later.
  await rename(stderr, join(folder, 'tutti.log')).catch(() => undefined);
  return said.run as RunId;
}

function notBegun(end: string, stderr: string): Error {
  return tuttiError('USAGE', {
    message: `tutti did not begin: ${end}${stderr === '' ? '' : `: ${oneLine(stderr, 300)}`}`,
    next: 'Run `tutti doctor` in a terminal; it says what is missing.',
  });
}
