/** What is told of a program that failed: how it ended and the last it wrote to its standard error, on one harmless line. */
import { flatten } from '../contracts/flatten.ts';
import { redact } from '../contracts/redact.ts';
import { readTail } from './said.ts';

const mostCharacters = 500;
/** Far more than is shown, so that a secret is seen from its beginning. */
const tailBytes = 16 * 1024;

export async function failureMessage(how: string, stderrFile: string): Promise<string> {
  // Twice: a key over several lines is known by its lines, a key cut by control characters only without them.
  const tail = redact(flatten(redact(await readTail(stderrFile, tailBytes)).text)).text;
  if (tail === '') return how;
  const room = mostCharacters - how.length - 2;
  return `${how}: ${tail.length <= room ? tail : `…${tail.slice(1 - room).toWellFormed()}`}`;
}
