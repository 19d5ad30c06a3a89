/** From the lines of a transcript to what they tell, by the dialect of whoever wrote them. */
import { defined } from '../../base/defined.ts';
import { valueAt } from '../../base/json-value.ts';
import { acpReader } from './transcript-acp.ts';
import { claudeReader } from './transcript-claude.ts';
import { codexReader } from './transcript-codex.ts';
import type { Entry, EntryReader } from './transcript-entry.ts';
import { geminiReader } from './transcript-gemini.ts';
import { opencodeReader } from './transcript-opencode.ts';
import { timeOf } from './transcript-values.ts';

const dialects: ReadonlyMap<string, () => EntryReader> = new Map([
  ['acp', acpReader],
  ['claude', claudeReader],
  ['codex', codexReader],
  ['gemini', geminiReader],
  ['opencode', opencodeReader],
]);

function sent(text: string, time: number | undefined): Entry[] {
  return [{ ...defined({ at: time }), kind: 'sent', text }];
}

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
    if (read === undefined) return [{ kind: 'note', text: line }];
    // What a program is given at its start is no message of its own: a driver may have written it down in between.
    const given = valueAt(message, 'to');
    return typeof given === 'string' ? sent(given, timeOf(valueAt(message, 'at'))) : read(message);
  };
}
