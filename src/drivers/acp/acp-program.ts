/**
 * ACP program: owns the process of an agent, from its start to the end of its last child, and the transcript of its messages.
 *
 *   end: close its input → SIGTERM → SIGKILL to every process with the marker
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Confinement, readingRoom } from '../../process/confine/confinement.ts';
import { type ProcessEnd, spawnPiped, type Pipes, type PipedProcess } from '../../process/spawn-marked.ts';
import { agentEnvironment, withSettings } from '../agent-environment.ts';
import { confineClient, type ConfinedClient } from '../client-mounts.ts';
import type { DriverTask } from '../driver.ts';
import { compressTranscript } from '../transcript/compress-transcript.ts';
import { openTranscript, type Transcript } from '../transcript/open-transcript.ts';
import { transcriptFile } from '../transcript/transcript-file.ts';
import type { AcpOptions } from './acp-options.ts';
import { AcpRefusal } from './connection.ts';

/** The program ended before it answered. */
export class ProgramEnded extends Error {
  readonly end: ProcessEnd;

  constructor(end: ProcessEnd) {
    super('the program ended');
    this.end = end;
  }
}

export interface AcpProgram {
  readonly transcript: Pick<Transcript, 'write'>;
  /** Rejects with `ProgramEnded` if it was not started. */
  started(): Promise<{ readonly pid: number; readonly pipes: Pipes }>;
  /** Rejects with `ProgramEnded` if the program ends before the answer arrives. */
  whileItRuns<T>(answer: Promise<T>): Promise<T>;
  /** Resolves when no process is left. `at-once` overrides a gentle end. */
  end(how: 'gently' | 'at-once'): Promise<void>;
}

const patience = 2000;

/** The process exists when this returns, unless it could not be started. */
export function startProgram(settings: AcpOptions, task: DriverTask): AcpProgram {
  const environment = environmentFor(settings, task);
  const hasOwnHome = settings.home !== undefined;
  const child = spawnPiped({
    argv: settings.argv,
    directory: task.directory,
    environment,
    confinement: confinementOf(settings, task, { ...settings.client, environment, hasOwnHome }),
    marker: { run: task.run, delegation: task.delegation },
    stderr: `${task.outputFile}.stderr`,
    grace: patience,
  });
  const file = transcriptFile(task.transcript, 'acp');
  const transcript = openTranscript(file);
  const died = child.ended.then(async (how) => {
    if (child.pipes !== undefined) await drained(child.pipes.stdout);
    throw new ProgramEnded(how);
  });
  died.catch(() => undefined);
  let ending: Promise<void> | undefined;
  return {
    transcript,
    async started() {
      const { pid, pipes } = child;
      return pid === undefined || pipes === undefined ? died : { pid, pipes };
    },
    whileItRuns(answer) {
      // A lost connection means that the program ends: its exit says more.
      const settled = answer.catch(async (error: unknown) => {
        if (error instanceof AcpRefusal) throw error;
        return Promise.race([died, sleep(patience).then(() => Promise.reject(error as Error))]);
      });
      return Promise.race([settled, died]);
    },
    end(how) {
      if (how === 'at-once') void child.stop('at-once');
      ending ??= endProgram(child, how).then(async () => {
        await transcript.close();
        // A transcript that cannot be compressed stays as it is.
        await compressTranscript(file).catch(() => undefined);
      });
      return ending;
    },
  };
}

/** A reviewer without a sandbox of its own writes its report and worklog only. */
function confinementOf(
  { way }: AcpOptions,
  { confinement, isReview, directory, reportPath, worklogPath }: DriverTask,
  client: ConfinedClient,
): Confinement | undefined {
  if (confinement === undefined) return undefined;
  const onlyReads = isReview && way.confinedMode !== undefined && !confinement.nests;
  const own = [dirname(reportPath), dirname(worklogPath)].filter((path) => existsSync(join(directory, path)));
  return confineClient(onlyReads ? readingRoom(confinement, directory, own) : confinement, client);
}

/** The config overrides the profile. */
function environmentFor(
  { way, ...settings }: AcpOptions,
  { task, variables: own }: DriverTask,
): Record<string, string> {
  const variables = { DIVISI_TASK: task, ...way.variables, ...settings.variables, ...own };
  return withSettings(agentEnvironment({ ...settings, variables }), way.settings ?? {});
}

/** Waits for output that is still in flight after the exit. A child of the program may keep the pipe open. */
async function drained(stream: Readable): Promise<void> {
  if (!stream.readableEnded) await Promise.race([finished(stream).catch(() => undefined), sleep(300)]);
  // Two more streams process the output.
  await sleep(10);
}

/** Most programs end when their input does. */
async function endProgram(child: PipedProcess, how: 'gently' | 'at-once'): Promise<void> {
  if (how === 'gently' && child.pipes !== undefined) {
    child.pipes.stdin.end();
    await Promise.race([child.ended, sleep(300)]);
  }
  await child.stop(how);
}
