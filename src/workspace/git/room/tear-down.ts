/**
 * Tears a room down: runs the commands of `workspace.teardown` in it before it is removed. The commands are recorded outside of the room
 * when the first program starts in it, so that any later process can do it after a crash. A command that fails or takes too long is
 * reported and holds nothing up.
 */
import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import * as z from 'zod/mini';
import { divisiError } from '../../../base/error.ts';
import { lazy } from '../../../base/lazy.ts';
import { redactedLine } from '../../../base/text.ts';
import { commandLine } from '../../../plan/values/command-words.ts';
import { childEnvironment } from '../../../process/environment.ts';
import { endText } from '../../../process/end-text.ts';
import { newFile, readTail } from '../../../process/output-file.ts';
import { watchOutput } from '../../../process/output-limit.ts';
import { commandEnvironment } from '../../../process/running-command.ts';
import { reap } from '../../../process/reap.ts';
import { spawnMarked } from '../../../process/spawn-marked.ts';
import { writePrivately } from '../../atomic-file.ts';
import { confineRoom } from '../../confine/confine-room.ts';
import { isMissing, isThere, locate } from '../../project-path.ts';
import type { Repository } from '../repository.ts';
import { claimedVariables } from './room-claims.ts';
import { recordFile, recordFolder } from './room-record.ts';
import { realRoom } from './rooms-folder.ts';

const tearDownSchema = lazy(() =>
  z.strictObject({
    run: z.string(),
    /** From the top of the room to the project. */
    prefix: z.string(),
    commands: z.array(z.array(z.string())),
    /** Names of variables that the commands get. */
    environment: z.array(z.string()),
    /** Seconds for each command. */
    timeout: z.number(),
    /** Absolute: the folder for the output. */
    output: z.string(),
  }),
);
export type TearDown = z.infer<ReturnType<typeof tearDownSchema>>;

const recordName = 'teardown.json';

/** Bytes of output of one command. */
const mostOutput = 64 * 1024 * 1024;

/** Called before the first program runs in the room. */
export async function noteTearDown(repository: Repository, folder: string, what: TearDown): Promise<void> {
  if (what.commands.length === 0) return;
  const file = await recordFile(repository, folder, recordName);
  if (!(await isThere(file))) await writePrivately(file, JSON.stringify(what));
}

/** May be repeated; a room without a record needs nothing. */
export async function tearDown(repository: Repository, folder: string, warn: (error: Error) => void): Promise<void> {
  const record = join(recordFolder(repository, folder), recordName);
  const what = await readRecord(record);
  if (what === undefined) return;
  const directory = await directoryIn(repository, folder, what.prefix);
  if (directory !== undefined) {
    // Those of a process that died while it tore the room down.
    await reap(markerOf(what, folder).run);
    for (const [at, argv] of what.commands.entries()) {
      const one = { ...what, argv, directory, name: `teardown-${at + 1}.txt` };
      // A full disk has no place for its output, and is why the room is removed.
      const failed = await runOne(repository, folder, one).catch(asError);
      if (failed !== undefined) warn(failed);
    }
  }
  await rm(record, { force: true });
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

async function readRecord(file: string): Promise<TearDown | undefined> {
  try {
    return tearDownSchema().safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The project in the room; undefined if the room is gone, or an agent replaced it with a symlink. */
async function directoryIn(repository: Repository, folder: string, prefix: string): Promise<string | undefined> {
  const room = await realRoom(repository, folder);
  if (room === undefined || (await realpath(room).catch(() => undefined)) !== room) return undefined;
  const place = await locate(room, prefix || '.');
  return place.found === 'inside' && !place.isFile ? place.path : undefined;
}

/** Not the run's own: a session that ends its agents must not end this. */
const markerOf = ({ run }: TearDown, folder: string): { run: string; delegation: string } => ({
  run: `teardown of ${folder}`,
  delegation: run,
});

interface OneCommand extends TearDown {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly name: string;
}

async function runOne(repository: Repository, folder: string, one: OneCommand): Promise<Error | undefined> {
  const { argv, directory, environment, timeout, name } = one;
  const output = join(await outputFolder(repository, folder, one), name);
  await newFile(output, '');
  const note = { run: one.run, of: basename(folder), purpose: 'teardown', command: commandLine(argv) } as const;
  const claimed = await claimedVariables(repository, folder);
  const variables = { CI: '1', ...claimed, ...commandEnvironment({ ...note, since: Date.now() }) };
  const child = spawnMarked({
    argv,
    directory,
    environment: childEnvironment(repository.environment, environment, variables),
    marker: markerOf(one, folder),
    confinement: await confineRoom(repository, folder),
    stdout: output,
    stderr: output,
    grace: 1000,
  });
  const watch = watchOutput([output], mostOutput, () => void child.stop('at-once'));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void child.stop('gently');
  }, timeout * 1000);
  const ended = await child.ended;
  clearTimeout(timer);
  watch.end();
  await child.stop('at-once');
  if (ended.kind === 'exit' && ended.code === 0) return undefined;
  const why = timedOut ? `timed out after ${timeout} s` : watch.exceeded() ? 'too much output' : endText(ended);
  return failed(argv, why, folder, output);
}

/** Beside the output of checks; in the room's record if the project is gone. */
async function outputFolder(repository: Repository, folder: string, { output }: TearDown): Promise<string> {
  const isOwn = (await isThere(repository.project)) && !relative(repository.project, output).startsWith('..');
  const at = isOwn ? output : recordFolder(repository, folder);
  await mkdir(at, { recursive: true });
  return at;
}

async function failed(argv: readonly string[], end: string, folder: string, output: string): Promise<Error> {
  const tail = redactedLine((await readTail(output, 4096)).trimEnd().split('\n').at(-1) ?? '', 100);
  return divisiError('WORKSPACE_TEARDOWN_FAILED', {
    message: `the teardown command ${redactedLine(commandLine(argv), 60)} failed in ${folder} (${redactedLine(end, 200)})${tail === '' ? '' : `: ${tail}`}`,
    next: `See ${output}. The room was removed all the same: end what the command should have ended.`,
    ids: { folder, file: output },
  });
}
