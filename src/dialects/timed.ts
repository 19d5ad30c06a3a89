/** Adds the time of a message to its entries, for clients whose lines have a `timestamp`. */
import { valueAt } from '../base/json-value.ts';
import { timeOf } from './values.ts';
import type { Entry, EntryReader } from './entry.ts';

export function timed(entries: (message: unknown) => readonly Entry[]): EntryReader {
  return (message) => {
    const time = timeOf(valueAt(message, 'timestamp'));
    const all = entries(message);
    return time === undefined ? all : all.map((entry) => ({ at: time, ...entry }));
  };
}
