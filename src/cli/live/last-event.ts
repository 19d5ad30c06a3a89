/** When something last came from an agent: what it says, and what its client sends, is written down as it comes. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { transcriptFiles } from '../../drivers/transcript/transcript-file.ts';
import type { DelegationFiles } from '../../delegation/delegation-files.ts';

/** Undefined where there is no such file. */
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

/** Of a link, its own time: what is behind it has nothing to do with the agent. */
async function timeOf(file: string): Promise<number | undefined> {
  try {
    return (await lstat(file)).mtimeMs;
  } catch {
    return undefined;
  }
}
