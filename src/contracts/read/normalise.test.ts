import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Findings } from '../finding.ts';
import { byteLength, normalise } from './normalise.ts';

const piece = fc.constantFrom('a', 'é', '→', '😀', '\n', '\r', '\0', '\uD83D', '\uDE00', '\uFEFF', '\uFFFD');
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

describe('normalise', () => {
  it('says in one pass over the bytes what four replacements would', () => {
    const simple = (given: string): string => {
      const lines = given
        .replace(/^\uFEFF/, '')
        .replaceAll('\r\n', '\n')
        .replaceAll('\r', '\n');
      return lines.toWellFormed().replaceAll('\0', '\uFFFD');
    };
    const alike = fc.property(text, (given) => {
      expect(normalise(given, new Findings())).toBe(simple(given));
    });
    fc.assert(alike, { numRuns: 1_000 });
  });

  it.each([
    ['a\r\nb', []],
    ['\uFEFFa', []],
    ['a\0', ['characters-replaced']],
    ['a\uD83D', ['characters-replaced']],
  ])('records that characters of %j were replaced, not that line ends were', (given, codes) => {
    const findings = new Findings();
    normalise(given, findings);
    expect(findings.deviations.map(({ code }) => code)).toEqual(codes);
  });
});

describe('byteLength', () => {
  it('is the length in UTF-8', () => {
    const alike = fc.property(text, (given) => {
      expect(byteLength(given)).toBe(new TextEncoder().encode(given).length);
    });
    fc.assert(alike, { numRuns: 1_000 });
  });

  it.each([16_383, 16_384, 16_385])('holds where %d characters of four bytes meet the end of its buffer', (count) => {
    expect(byteLength(`a${'😀'.repeat(count)}`)).toBe(1 + 4 * count);
  });
});
