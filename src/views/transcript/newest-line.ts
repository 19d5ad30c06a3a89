/** What the end of a transcript tells, in one short line. */
import { type TranscriptEntry, transcriptReader } from './transcript-reader.ts';
import { shortEntry } from './transcript-text.ts';

/** Empty where these lines tell nothing. A text that comes in pieces is read from where its last line begins. */
export function newestLine(dialect: string, lines: readonly string[]): string {
  const read = transcriptReader(dialect);
  let newest = '';
  let spoken: TranscriptEntry['kind'] | null = null;
  let text = '';
  for (const entry of lines.flatMap(read)) {
    const isSpoken = entry.kind === 'said' || entry.kind === 'thought';
    if (isSpoken) {
      text = entry.piece === true && spoken === entry.kind ? text + entry.text : entry.text;
      newest = shortEntry({ kind: entry.kind, text: lastLine(text) }) || newest;
    } else {
      newest = shortEntry(entry) || newest;
    }
    // What was used is told in between, and interrupts nobody.
    if (entry.kind !== 'usage') spoken = isSpoken ? entry.kind : null;
  }
  return newest;
}

function lastLine(text: string): string {
  const end = text.trimEnd();
  return end.slice(end.lastIndexOf('\n') + 1);
}
