/** Redacts the output of an agent and its program on disk, and compresses its transcript, once the delegation has ended. */
import { lstat, readFile } from 'node:fs/promises';
import { redact } from '../../base/redact.ts';
import type { DriverTask } from '../../drivers/driver.ts';
import { newFile } from '../../process/output-file.ts';
import { turnOutputFile } from '../../drivers/turn-output.ts';
import { compressTranscript } from '../../drivers/transcript/compress-transcript.ts';
import { transcriptFiles } from '../../drivers/transcript/transcript-file.ts';
import { mostRepairs } from '../../core/state/state.ts';

/** Best effort: a file that cannot be rewritten stays as it is. */
export async function redactOutput({ outputFile, transcript }: DriverTask): Promise<void> {
  const turns = Array.from({ length: mostRepairs + 1 }, (_, repair) => turnOutputFile(outputFile, repair));
  for (const file of turns.flatMap((one) => [one, `${one}.stderr`, `${one}.submitted`])) {
    await redactFile(file).catch(() => undefined);
  }
  for (const { path, compressed } of await transcriptFiles(transcript)) {
    if (!compressed) await compressTranscript(path).catch(() => undefined);
  }
}

const largest = 64 * 1024 * 1024;

async function redactFile(file: string): Promise<void> {
  const facts = await lstat(file);
  if (!facts.isFile() || facts.size > largest) return;
  const text = await readFile(file, 'utf8');
  const clean = redact(text);
  if (clean.text !== text) await newFile(file, clean.text);
}
