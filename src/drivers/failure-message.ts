/** What is told of a client that failed, on one harmless line: how it ended and the last it wrote to its standard error. */
import { oneLine, redactedLine } from '../base/text.ts';
import { redact } from '../base/redact.ts';
import { readTail } from '../process/output-file.ts';

const mostCharacters = 500;
/** Far more than is shown, so that a secret is seen from its beginning. */
const tailBytes = 16 * 1024;

export async function failureMessage(how: string, stderrFile: string): Promise<string> {
  const tail = harmless(await readTail(stderrFile, tailBytes));
  if (tail === '') return how;
  const room = mostCharacters - how.length - 2;
  return `${how}: ${tail.length <= room ? tail : `…${tail.slice(1 - room).toWellFormed()}`}`;
}

/** What a client says of its own failure or of a refusal; the beginning is what counts. */
export function toldMessage(text: string, most = mostCharacters): string {
  return oneLine(harmless(text.slice(0, tailBytes)), most);
}

function harmless(text: string): string {
  // Twice: a key over several lines is known by its lines, a key cut by control characters only without them.
  return redact(redactedLine(text)).text;
}
