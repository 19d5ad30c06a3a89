/** Reads the file in which a command reports its usage. The content is a claim: anything but a plain number is ignored. */
import { join } from 'node:path';
import { readHead } from '../../process/output-file.ts';
import { type TurnUsage, usageFrom } from '../../dialects/usage.ts';

const mostBytes = 4096;

/** In a folder of its own, the only one of ours that the command may write to. */
export function usageFile(turnOutputFile: string): string {
  return join(`${turnOutputFile}.usage`, 'usage.json');
}

/** Never rejects: a turn does not fail because of its usage file. */
export async function readUsage(turnOutputFile: string): Promise<TurnUsage | undefined> {
  try {
    const text = await readHead(usageFile(turnOutputFile), mostBytes + 1);
    return Buffer.byteLength(text) > mostBytes ? undefined : usageFrom(JSON.parse(text));
  } catch {
    return undefined;
  }
}
