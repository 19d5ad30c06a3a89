/** Transcripts that the real programs wrote, against a scripted model, and what a person sees of each; read through by hand. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { transcriptReader } from '../../src/views/transcript/transcript-reader.ts';
import { transcriptText } from '../../src/views/transcript/transcript-text.ts';

const folder = new URL('transcripts/', import.meta.url);
const samples = readdirSync(folder).flatMap((file) => /^(.*)\.jsonl$/.exec(file)?.[1] ?? []);

function read(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

function shown(sample: string): string {
  const entries = transcriptReader(sample.split('.').at(-1) ?? '');
  const text = transcriptText();
  const lines = read(`${sample}.jsonl`)
    .split('\n')
    .flatMap((line) => entries(line).flatMap((entry) => text.add(entry)));
  return [...lines, ...text.end()].map((line) => `${line.text}\n`).join('');
}

describe('transcripts', () => {
  it('of each dialect', () => {
    expect(new Set(samples.map((sample) => sample.split('.').at(-1)))).toEqual(
      new Set(['acp', 'claude', 'codex', 'gemini', 'opencode']),
    );
  });

  it.each(samples)('%s', (sample) => {
    expect(shown(sample)).toBe(read(`${sample}.txt`));
  });
});
