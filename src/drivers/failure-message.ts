/** Builds the message of a failed turn: how the client ended and the last it wrote to standard error, on one harmless line. */
import { oneLine, redactedLine } from '../base/text.ts';
import { redact } from '../base/redact.ts';
import { readTail } from '../process/output-file.ts';

const mostCharacters = 500;
/** Far more than is shown, to recognise a secret by its beginning. */
const tailBytes = 16 * 1024;

export async function failureMessage(how: string, stderrFile: string): Promise<string> {
  const tail = harmless(await readTail(stderrFile, tailBytes));
  if (tail === '') return how;
  const room = mostCharacters - how.length - 2;
  return `${how}: ${tail.length <= room ? tail : `…${tail.slice(1 - room).toWellFormed()}`}`;
}

/** A client's words about a failure or a refusal, on one harmless line. Keeps the beginning. */
export function errorLine(text: string, most = mostCharacters): string {
  return oneLine(harmless(text.slice(0, tailBytes)), most);
}

function harmless(text: string): string {
  // Twice: a key over several lines is known by its lines, a key cut by control characters only without them.
  return redact(redactedLine(text)).text;
}
