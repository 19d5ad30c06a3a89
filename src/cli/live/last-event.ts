/** Finds when an agent last wrote output or its client last sent a message. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { transcriptFiles } from '../../drivers/transcript/transcript-file.ts';
import type { DelegationFiles } from '../../delegation/delegation-files.ts';

/** Undefined if no file exists. */
export async function lastEvent(
  project: string,
  { output, transcript }: Pick<DelegationFiles, 'output' | 'transcript'>,
): Promise<number | undefined> {
  const said = [output, `${output}.repair-1`, `${output}.repair-2`].flatMap((file) => [file, `${file}.stderr`]);
  const sent = await transcriptFiles(join(project, transcript));
  const times = await Promise.all(
    [...said.map((file) => join(project, file)), ...sent.map(({ path }) => path)].map(timeOf),
  );
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** The time of a link itself: its target has nothing to do with the agent. */
async function timeOf(file: string): Promise<number | undefined> {
  try {
    return (await lstat(file)).mtimeMs;
  } catch {
    return undefined;
  }
}
