/** From the lines of a transcript to what they tell, by the dialect of whoever wrote them. */
import { acpReader } from './transcript-acp.ts';
import { claudeReader } from './transcript-claude.ts';
import { codexReader } from './transcript-codex.ts';
import type { Entry, EntryReader } from './transcript-entry.ts';
import { geminiReader } from './transcript-gemini.ts';
import { opencodeReader } from './transcript-opencode.ts';

const dialects: ReadonlyMap<string, () => EntryReader> = new Map([
  ['acp', acpReader],
  ['claude', claudeReader],
  ['codex', codexReader],
  ['gemini', geminiReader],
  ['opencode', opencodeReader],
]);

/** Reads lines as text. What is no JSON, and what comes in a dialect that nobody knows here, is shown as it is. */
export function transcriptReader(dialect: string): (line: string) => readonly Entry[] {
  const read = dialects.get(dialect)?.();
  return (line) => {
    if (line.trim() === '') return [];
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return [{ kind: 'note', text: line }];
    }
    return read === undefined ? [{ kind: 'note', text: line }] : read(message);
  };
}
