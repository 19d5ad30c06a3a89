/** Prints the transcript of a delegation: as text, as JSON entries, or raw. */
import { oneLine } from '../../base/text.ts';
import { redact } from '../../base/redact.ts';
import { readTail } from '../../process/output-file.ts';
import { readTranscript, type TranscriptReading } from '../../drivers/transcript/read-transcript.ts';
import { terminalJsonLine, terminalText } from '../../views/text/escape.ts';
import { type TranscriptEntry, transcriptReader } from '../../views/transcript/transcript-reader.ts';
import { type ShownLine, transcriptText } from '../../views/transcript/transcript-text.ts';
import { paint } from '../paint.ts';

/** Lines; standard error has errors without a message, and much else. */
const errorBytes = 2048;
const errorLines = 10;

/** `errors`: standard error of the program, shown after a failure or if the transcript is empty. */
export async function showTranscript(transcript: string, errors: string, options: TranscriptReading): Promise<void> {
  const text = transcriptText();
  const kinds = new Set<TranscriptEntry['kind']>();
  const show = (lines: readonly ShownLine[]): void => {
    for (const line of lines) process.stdout.write(`${paint(line.tone, line.text)}\n`);
  };
  for await (const entry of entriesOf(transcript, { ...options, idle: () => show(text.idle()) })) {
    kinds.add(entry.kind);
    show(text.add(entry));
  }
  show(text.end());
  if (kinds.has('said') && !kinds.has('error')) return;
  const said = redact(await readTail(errors, errorBytes)).text.trim();
  for (const line of said === '' ? [] : said.split('\n').slice(-errorLines)) {
    show([{ tone: 'quiet', text: `stderr  ${oneLine(line, 200)}` }]);
  }
}

/** One line per message as sent, with secrets redacted and control characters escaped. */
export async function showRaw(transcript: string, options: TranscriptReading): Promise<void> {
  for await (const { line } of readTranscript(transcript, options)) {
    process.stdout.write(`${terminalText(redact(line).text)}\n`);
  }
}

export async function streamEntries(transcript: string, about: object, options: TranscriptReading): Promise<void> {
  for await (const entry of entriesOf(transcript, options)) {
    process.stdout.write(`${terminalJsonLine({ ...about, ...withoutSecrets(entry) })}\n`);
  }
}

export async function allEntries(transcript: string): Promise<TranscriptEntry[]> {
  const entries: TranscriptEntry[] = [];
  for await (const entry of entriesOf(transcript, {})) entries.push(withoutSecrets(entry));
  return entries;
}

async function* entriesOf(transcript: string, options: TranscriptReading): AsyncGenerator<TranscriptEntry> {
  const readers = new Map<string, ReturnType<typeof transcriptReader>>();
  for await (const { dialect, line } of readTranscript(transcript, options)) {
    const read = readers.get(dialect) ?? transcriptReader(dialect);
    readers.set(dialect, read);
    yield* read(line);
  }
}

function withoutSecrets<One extends TranscriptEntry>(entry: One): One {
  const clean = Object.entries(entry).map(([name, value]: [string, unknown]) => {
    return [name, typeof value === 'string' ? redact(value).text : value];
  });
  return Object.fromEntries(clean) as One;
}
