import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Contract } from '../../src/contracts/contract.ts';
import { read } from '../../src/contracts/read/read.ts';
import { contracts, validReturn } from './arbitrary-return.ts';
import { runs } from './runs.ts';

// prettier-ignore
const prose = [
  'I looked at the tests first.', 'Done!', ' ', '\n', '\n\n', '\t', '\r\n', "it's", '"quoted"', '`code`', '* a point\n', '1. first\n', '- [x] done\n',
  '# Heading\n', '## Summary\n', 'status: done\n', 'key: [a, b\n', '(see above)', '[link](https://example.org/a?b=c)', '→', '👩‍👩‍👧', 'é', '数据',
  '\u2028', '\u00A0', '---\n', '\n> quote\n', '<b>', '&amp;', '\\', '$', '%', '@', '3/4', 'none', 'true', 'x'.repeat(300),
];

/** Beside that, what only the other formats give a meaning to, and quoted material that would count if it were not quoted. */
const harmless = {
  block: [
    ...prose,
    'a|b|c\n',
    '{"status": "failed"}',
    '}',
    '\n```\n---OUTPUT---\nstatus: failed\n---END---\n```\n',
    '\n~~~js\nf({})\n~~~\n',
  ],
  json: [...prose, 'a|b|c\n', '---OUTPUT---', '\n---END---\n', '\n```sh\nnpm test\n```\n', '}', ']', '//', '/*'],
  line: [
    ...prose,
    '{"status": "failed"}',
    '---OUTPUT---',
    '\n```\nLOW|nothing|a.md\n```\n',
    '\n~~~\nplan|failed|none\n~~~\n',
  ],
} as const;

function around(format: keyof typeof harmless): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...harmless[format]), { maxLength: 8 }).map((pieces) => pieces.join(''));
}

function withoutSurroundings(contract: Contract, text: string): unknown {
  const reading = read(contract, text);
  if (!reading.ok) throw new Error(`refused: ${JSON.stringify(reading.violations)}\n${text}`);
  return { ...reading.result, deviations: reading.result.deviations.filter(({ code }) => code !== 'text-around') };
}

describe('a valid return survives what stands around it', () => {
  it.each(['block', 'json', 'line'] as const)('as %s', (format) => {
    const cases = contracts
      .filter(({ wireFormat }) => wireFormat === format)
      .map((contract) => fc.tuple(fc.constant(contract), validReturn(contract)));
    const separator = format === 'line' ? '\n' : '';
    const survives = fc.property(
      fc.oneof(...cases),
      around(format),
      around(format),
      ([contract, text], before, after) => {
        const alone = read(contract, text);
        fc.pre(alone.ok);
        const surrounded = withoutSurroundings(contract, `${before}${separator}${text}${separator}${after}`);
        if (!isDeepStrictEqual(surrounded, alone.ok ? alone.result : undefined)) throw new Error('another result');
      },
    );
    fc.assert(survives, runs);
  });
});
