/** Reads `--attempt N`. */
import { divisiError } from '../../base/error.ts';

export function attemptOption(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw divisiError('USAGE', {
    message: '--attempt is not a number',
    expected: 'the number of an attempt, from 1',
    got: given,
    next: '`divisi status --json` shows how many there are.',
  });
}
