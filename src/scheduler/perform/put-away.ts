/** What an agent and its program said is kept without the secrets in it, once nobody needs it as it was. */
import { lstat, readFile } from 'node:fs/promises';
import { redact } from '../../base/redact.ts';
import type { DriverTask } from '../../drivers/driver.ts';
import { newFile } from '../../process/output-file.ts';
import { turnOutputFile } from '../../drivers/turn-output.ts';
import { compressTranscript } from '../../drivers/transcript/compress-transcript.ts';
import { transcriptFiles } from '../../drivers/transcript/transcript-file.ts';
import { mostRepairs } from '../../core/state/state.ts';

/** It is for people who look later: where it cannot be done, it stays as it is. */
export async function putAway({ outputFile, transcript }: DriverTask): Promise<void> {
  const turns = Array.from({ length: mostRepairs + 1 }, (_, repair) => turnOutputFile(outputFile, repair));
  for (const file of turns.flatMap((one) => [one, `${one}.stderr`, `${one}.submitted`])) {
    await withoutSecrets(file).catch(() => undefined);
  }
  for (const { path, compressed } of await transcriptFiles(transcript)) {
    if (!compressed) await compressTranscript(path).catch(() => undefined);
  }
}

const largest = 64 * 1024 * 1024;

async function withoutSecrets(file: string): Promise<void> {
  const facts = await lstat(file);
  if (!facts.isFile() || facts.size > largest) return;
  const text = await readFile(file, 'utf8');
  const clean = redact(text);
  if (clean.text !== text) await newFile(file, clean.text);
}
