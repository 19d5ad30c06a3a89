/** Builds the message of a failed turn: how the client ended and what it wrote to standard error, from the cause on, on one harmless line. */
import { stripVTControlCharacters } from 'node:util';
import { causeAt } from '../base/error-cause.ts';
import { oneLine, redactedLine } from '../base/text.ts';
import { redact } from '../base/redact.ts';
import { readTail } from '../process/output-file.ts';

const mostCharacters = 500;
/** Far more than is shown, to recognise a secret by its beginning. */
const tailBytes = 16 * 1024;

export async function failureMessage(how: string, stderrFile: string): Promise<string> {
  const text = await readTail(stderrFile, tailBytes);
  const room = mostCharacters - how.length - 2;
  // Redacted before it is cut: a key over several lines is known by its first.
  const lines = redact(stripVTControlCharacters(text)).text.split('\n');
  const cause = causeAt(lines);
  if (cause !== undefined) return `${how}: ${oneLine(harmless(lines.slice(cause).join('\n')), room)}`;
  const tail = harmless(text);
  if (tail === '') return how;
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
