import { describe, expect, it } from 'vitest';
import { limits } from '../field.ts';
import { Findings } from '../finding.ts';
import { findBlock } from './block.ts';
import { Plain, type Raw } from './raw.ts';

const known = new Set(['path', 'risk']);

interface Outcome {
  readonly values: Readonly<Record<string, string>> | undefined;
  readonly violations: readonly string[];
  readonly deviations: readonly string[];
}

function words(raw: Raw): string {
  return raw instanceof Plain ? raw.text : JSON.stringify(raw);
}

function find(text: string): Outcome {
  const findings = new Findings();
  const found = findBlock(text, known, findings);
  return {
    values: found && Object.fromEntries([...found.values].map(([key, raw]) => [key, words(raw)])),
    violations: findings.violations.map(({ code }) => code),
    deviations: findings.deviations.map(({ code }) => code),
  };
}

const block = (path: string): string => `---OUTPUT---\npath: ${path}\n---END---\n`;

type Row = readonly [what: string, text: string, path: string, ...deviations: string[]];

const rows: readonly Row[] = [
  ['alone', block('a'), 'a'],
  ['text before and after', `I am done.\n\n${block('a')}\nBye.`, 'a'],
  ['several: the last counts', `${block('a')}then\n${block('b')}`, 'b', 'several-returns'],
  ['begun twice', `---OUTPUT---\npath: a\n\n${block('b')}`, 'b'],
  ['another begun after it', `${block('a')}---OUTPUT---\npath: b`, 'a', 'block-in-pieces'],
  ['an end without a beginning', `---END---\n${block('a')}`, 'a'],
  ['indented', block('a').replaceAll(/^/gm, '    '), 'a'],
  ['decorated markers', '**---OUTPUT---**\npath: a\n### ---END---', 'a'],
  ['a fence around it', `\`\`\`\n${block('a')}\`\`\``, 'a', 'fence-around'],
  ['a fence that never closes', `\`\`\`\n${block('a')}`, 'a', 'fence-around'],
  ['a fence within it', '---OUTPUT---\n```yaml\npath: a\n```\n---END---', 'a', 'fence-around'],
  ['one in a fence, one outside', `\`\`\`\n${block('a')}\`\`\`\n${block('b')}`, 'b'],
  ['one outside, one in a fence', `${block('a')}~~~\n${block('b')}~~~`, 'a'],
  ['an end within a fence', '---OUTPUT---\n```\npath: a\n---END---\n```', 'a', 'fence-around'],
  ['a fence that ends within it', '```\n---OUTPUT---\npath: a\n```\n---END---', 'a', 'fence-around'],
  ['markers mentioned before', `Between ---OUTPUT--- and ---END--- I put it.\n${block('a')}`, 'a'],
  ['markers mentioned after', `${block('a')}That was from ---OUTPUT--- to ---END---.`, 'a'],
  ['a marker mentioned in a value', '---OUTPUT---\npath: a ---END--- b\n---END---', 'a ---END--- b'],
  ['an end behind the last value', '---OUTPUT---\npath: a ---END---', 'a'],
  ['all on lines of prose', 'Done: ---OUTPUT---\npath: a\n---END--- Bye.', 'a'],
];

describe('findBlock', () => {
  it.each(rows)('%s', (_what, text, path, ...deviations) => {
    expect(find(text)).toEqual({ values: { path }, violations: [], deviations });
  });

  it.each([
    ['no marker', 'path: a'],
    ['only an end', 'path: a\n---END---'],
    ['other markers', '---output---\npath: a\n---end---'],
  ])('finds nothing: %s', (_what, text) => {
    expect(find(text)).toEqual({ values: undefined, violations: [], deviations: [] });
  });

  it.each([
    ['the end of the text', 'Done.\n---OUTPUT---\npath: a\nrisk: hi', { path: 'a', risk: 'hi' }],
    ['nothing at all', '---OUTPUT---', {}],
    [
      'an unterminated one outside a fence that has a whole one',
      `\`\`\`\n${block('a')}\`\`\`\n---OUTPUT---\npath: b`,
      { path: 'b' },
    ],
    [
      'an unterminated one after a mention',
      'I end with ---OUTPUT--- and ---END---.\n---OUTPUT---\npath: b',
      { path: 'b' },
    ],
  ])('reads an unterminated block up to %s', (_what, text, values) => {
    expect(find(text)).toMatchObject({ values, violations: ['block-unterminated'] });
  });

  it('remarks on a block of more than about 200 tokens, and reads it', () => {
    const lengthOf = (text: string): number => text.length - '---OUTPUT---'.length - '---END---\n'.length;
    const [fits, long] = [block('x'.repeat(limits.block - 8)), block('x'.repeat(limits.block - 7))];
    expect([lengthOf(fits), lengthOf(long)]).toEqual([limits.block, limits.block + 1]);
    expect(find(fits).deviations).toEqual([]);
    expect(find(long)).toEqual({
      values: { path: 'x'.repeat(limits.block - 7) },
      violations: [],
      deviations: ['block-long'],
    });
  });

  it('ends in good time on a million markers', () => {
    for (const piece of [
      '---END---',
      '---OUTPUT---',
      '---OUTPUT---\n',
      '---OUTPUT------END---',
      '```\n---OUTPUT---\n',
    ]) {
      expect(find(`---OUTPUT---${piece.repeat(100_000)}`).values).toBeDefined();
    }
  });
});
