/** TurnAccount: follows one turn by the entries of its lines. The last return or error decides how the turn ended. */
import type { Entry, EntryReader } from '../../dialects/entry.ts';
import { trueUsage, type TurnUsage } from '../../dialects/usage.ts';

type TurnKind = 'conversation' | 'said' | 'waits' | 'usage' | 'refused' | 'error' | 'returned';
/** An entry that a driver acts on. */
export type TurnEntry = Extract<Entry, { readonly kind: TurnKind }>;
export type TurnEnd = Extract<Entry, { readonly kind: 'returned' | 'error' }>;

export interface TurnAccount {
  /** The entries of this line that a driver acts on. The agent's words come as paragraphs, one for each message. */
  readonly take: (line: unknown) => readonly TurnEntry[];
  readonly end: () => TurnEnd | undefined;
  /** Without impossible numbers. */
  readonly usage: () => TurnUsage | undefined;
  /** Why the client was waiting when its last line arrived; undefined if it was not. */
  readonly waits: () => string | undefined;
}

export function turnAccount(read: EntryReader): TurnAccount {
  const spoken = paragraphs();
  let end: TurnEnd | undefined;
  let usage: TurnUsage | undefined;
  let waits: string | undefined;

  function take(entry: Entry): TurnEntry[] {
    if (entry.kind !== 'note') waits = entry.kind === 'waits' ? (entry.error ?? entry.text) : undefined;
    switch (entry.kind) {
      case 'returned':
      case 'error':
        end = entry;
        return [entry];
      case 'usage':
        if (entry.usage === undefined) return [];
        usage = trueUsage(entry.usage);
        return [entry];
      case 'conversation':
      case 'waits':
      case 'refused':
        return [entry];
      case 'said':
      case 'tool': {
        const text = spoken(entry);
        return text === '' ? [] : [{ kind: 'said', text }];
      }
      case 'sent':
      case 'thought':
      case 'tool-ended':
      case 'asked':
      case 'answered':
      case 'note':
      case 'answer-begun':
        return [];
      default:
        return entry satisfies never;
    }
  }

  return { take: (line) => read(line).flatMap(take), end: () => end, usage: () => usage, waits: () => waits };
}

/** The agent's own words, a blank line between two messages. A tool call ends a message that arrives in pieces. */
function paragraphs(): (entry: Entry) => string {
  let isFirst = true;
  let isOpen = false;
  return (entry) => {
    if (entry.kind === 'tool') isOpen = false;
    if (entry.kind !== 'said' || entry.nested === true || entry.text === '') return '';
    const isContinued = isFirst || (isOpen && entry.piece === true);
    isFirst = false;
    isOpen = entry.piece === true;
    return isContinued ? entry.text : `\n\n${entry.text}`;
  };
}
