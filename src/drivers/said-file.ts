/** What an agent says, written down as it says it. Nobody waits for the disk; what cannot be written is still in the turn. */
import { appendFile } from 'node:fs/promises';

export interface SaidFile {
  add(text: string): void;
  /** Resolves when all of it is there. Never rejects. */
  written(): Promise<void>;
}

export function saidTo(file: string): SaidFile {
  let waiting = '';
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      await appendFile(file, text).catch(() => undefined);
    }
    writing = undefined;
  }
  return {
    add(text) {
      waiting += text;
      writing ??= write();
    },
    written: () => writing ?? Promise.resolve(),
  };
}
