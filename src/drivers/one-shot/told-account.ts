/** What the lines of one turn come to: the last of returns and errors is how it ended. */
import { trueUsage, type Usage } from '../usage.ts';
import type { Reader, Told } from './one-shot.ts';

export type ToldEnd = Extract<Told, { kind: 'returned' | 'error' }>;

export interface ToldAccount {
  /** Gives back what the line says. */
  readonly take: (line: unknown) => readonly Told[];
  readonly end: () => ToldEnd | undefined;
  /** Numbers that cannot be true are left out. */
  readonly usage: () => Usage | undefined;
  /** What it was waiting for when its last line came. */
  readonly waits: () => string | undefined;
}

export function toldAccount(read: Reader): ToldAccount {
  let end: ToldEnd | undefined;
  let usage: Usage | undefined;
  let waits: string | undefined;
  return {
    take: (line) => {
      const all = read(line);
      for (const told of all) {
        if (told.kind === 'returned' || told.kind === 'error') end = told;
        if (told.kind === 'usage') usage = trueUsage(told.usage);
        waits = told.kind === 'waits' ? told.why : undefined;
      }
      return all;
    },
    end: () => end,
    usage: () => usage,
    waits: () => waits,
  };
}
