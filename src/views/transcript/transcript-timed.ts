/** What a program tells with the time at which it told it, where its lines carry one. */
import type { Entry, EntryReader } from './transcript-entry.ts';
import { valueAt } from '../../base/json-value.ts';
import { timeOf } from './transcript-values.ts';

export function timed(entries: (message: unknown) => readonly Entry[]): EntryReader {
  return (message) => {
    const time = timeOf(valueAt(message, 'timestamp'));
    const all = entries(message);
    return time === undefined ? all : all.map((entry) => ({ at: time, ...entry }));
  };
}
