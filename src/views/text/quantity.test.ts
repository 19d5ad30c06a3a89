import { expect, it } from 'vitest';
import { sizeText } from './quantity.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [15_400, '15 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [5e15, '5000 TB'],
])('%d bytes are %s', (bytes, words) => {
  expect(sizeText(bytes)).toBe(words);
});
