/** The file in which a command may say what its turn used. Its content is a claim: what is not a plain number is ignored. */
import { readHead } from '../../process/output-file.ts';
import { type Usage, usageFrom } from '../../dialects/usage.ts';

const mostBytes = 4096;

export function usageFile(turnOutputFile: string): string {
  return `${turnOutputFile}.usage`;
}

/** Never rejects: a turn does not fail for what it says of its cost. */
export async function readUsage(turnOutputFile: string): Promise<Usage | undefined> {
  try {
    const text = await readHead(usageFile(turnOutputFile), mostBytes + 1);
    return Buffer.byteLength(text) > mostBytes ? undefined : usageFrom(JSON.parse(text));
  } catch {
    return undefined;
  }
}
