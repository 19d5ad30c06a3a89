/**
 * What a client's messages tell, whichever client it is: the words of `divisi logs`. Texts are as they were on the wire:
 * whoever shows them redacts and escapes them.
 */

export type Entry = { readonly at?: number } & (
  | { readonly kind: 'sent'; readonly text: string }
  /** `piece`: goes on where the last one of its kind ended. */
  | { readonly kind: 'said'; readonly text: string; readonly piece?: true }
  | { readonly kind: 'thought'; readonly text: string; readonly piece?: true }
  /** Told again with the same id when more is known of it. */
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly argument: string }
  | {
      readonly kind: 'tool-ended';
      readonly id: string;
      readonly name: string;
      readonly argument: string;
      readonly failed: boolean;
      /** How it ended, where that is more than well or not. */
      readonly detail: string;
    }
  | { readonly kind: 'asked'; readonly what: string }
  | { readonly kind: 'answered'; readonly granted: boolean; readonly how: string }
  | { readonly kind: 'error' | 'waits' | 'usage' | 'note'; readonly text: string }
);

/** Reads the messages of one client in their order; keeps what it needs between them. Never throws, whatever comes. */
export type EntryReader = (message: unknown) => readonly Entry[];
