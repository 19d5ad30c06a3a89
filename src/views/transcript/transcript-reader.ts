/** Reads the lines of a transcript into the entries that are shown, by the dialect of the client that wrote them. */
import { valueAt } from '../../base/json-value.ts';
import { timeOf } from '../../dialects/values.ts';
import { defined } from '../../base/defined.ts';
import { acpReader } from '../../dialects/acp.ts';
import { claudeReader } from '../../dialects/claude.ts';
import { codexReader } from '../../dialects/codex.ts';
import type { Entry, EntryReader } from '../../dialects/entry.ts';
import { geminiReader } from '../../dialects/gemini.ts';
import { opencodeReader } from '../../dialects/opencode.ts';

/** `acp`, or the program whose own lines they are. */
const dialects: ReadonlyMap<string, () => EntryReader> = new Map([
  ['acp', acpReader],
  ['claude', claudeReader],
  ['codex', codexReader],
  ['gemini', geminiReader],
  ['opencode', opencodeReader],
]);

/** A refused tool call also ends as a failed one, and a return is also the last message: neither is shown twice. */
export type TranscriptEntry = Exclude<Entry, { readonly kind: 'conversation' | 'refused' | 'returned' }>;

/** A line that is not JSON, or is in an unknown dialect, becomes a note. */
export function transcriptReader(dialect: string): (line: string) => readonly TranscriptEntry[] {
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
    // Not a message of the program: a driver may record what it gave to the program at its start.
    const given = valueAt(message, 'to');
    if (typeof given === 'string')
      return [{ ...defined({ at: timeOf(valueAt(message, 'at')) }), kind: 'sent', text: given }];
    return read(message).filter(isShown);
  };
}

const unshown: ReadonlySet<Entry['kind']> = new Set(['conversation', 'refused', 'returned']);

function isShown(entry: Entry): entry is TranscriptEntry {
  return !unshown.has(entry.kind) && !(entry.kind === 'usage' && entry.text === '');
}
