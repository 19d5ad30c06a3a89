/** Reads the input of a command from a file or standard input. */
import { createReadStream } from 'node:fs';
import { messageOf, divisiError } from '../base/error.ts';

/** Far above the limit of reading, whose own refusal shows both ends of the text; far below what exhausts memory. */
const mostBytes = 64 * 1024 * 1024;

export async function readInput(file: string): Promise<string> {
  if (file === '-' && process.stdin.isTTY) {
    throw divisiError('USAGE', { message: 'there is nothing to read', next: 'Name a FILE, or pipe the text in.' });
  }
  const name = file === '-' ? 'standard input' : file;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > mostBytes) break;
    }
  } catch (cause) {
    throw divisiError('INPUT_UNREADABLE', {
      message: `${name} cannot be read: ${messageOf(cause)}`,
      next: 'Check that the file exists and is readable.',
      ids: { file },
      cause,
    });
  }
  if (size <= mostBytes) return Buffer.concat(chunks).toString('utf8');
  throw divisiError('INPUT_TOO_LARGE', {
    message: `${name} is too large`,
    expected: `at most ${mostBytes} bytes`,
    next: 'Pass the return alone, not a transcript.',
    ids: { file },
  });
}
