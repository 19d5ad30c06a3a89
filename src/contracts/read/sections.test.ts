import { describe, expect, it } from 'vitest';
import type { Field, Fields } from '../field.ts';
import { Findings } from '../finding.ts';
import { withSections, writeSection } from './sections.ts';
import { Plain, type Raw } from '../wire/raw.ts';

const about = 'x';
const list: Field = { type: 'list', of: { type: 'text' }, section: 'Issues', about };
const text: Field = { type: 'text', section: 'Issues', about };

function valueOf(field: Field, section: string): Raw | undefined {
  const found = { wireFormat: 'report', values: new Map(), sections: new Map([['issues', section]]) } as const;
  return withSections({ x: field }, found, new Findings()).get('x');
}

describe('a list in a section', () => {
  it.each<[what: string, section: string, items: string[]]>([
    ['bullets', '- a\n* b\n+ c', ['a', 'b', 'c']],
    ['numbers', '1. a\n2) b', ['a', 'b']],
    ['paragraphs', 'one\ntwo\n\nthree', ['one\ntwo', 'three']],
    ['bullets that go on', '- a\n  b\n- c', ['a\nb', 'c']],
    ['none', 'None.', []],
    ['a bullet that says none', '- none', []],
    ['n/a', 'N/A', []],
    ['nothing', '', []],
    ['headings', '### One\n- a\n### Two\n- b', ['One', 'a', 'Two', 'b']],
    ['what is escaped', '- \\# no heading\n- \\- no bullet', ['# no heading', '- no bullet']],
  ])('%s', (_what, section, items) => {
    expect(valueOf(list, section)).toEqual(items);
  });
});

describe('another value in a section', () => {
  it('is the text as it is', () => {
    expect(valueOf(text, 'one\n\n- two')).toBe('one\n\n- two');
    expect(valueOf({ type: 'number', section: 'Issues', about }, '3')).toEqual(new Plain('3'));
  });
});

describe('withSections', () => {
  const fields: Fields = {
    summary: { type: 'text', is: 'summary', section: 'Summary', about },
    files_touched: { ...list, section: 'Files' },
    open_points: { type: 'text', about },
  };
  const all = (values: [string, Raw][], sections: [string, string][]): unknown => {
    const findings = new Findings();
    const map = withSections(
      fields,
      { wireFormat: 'report', values: new Map(values), sections: new Map(sections) },
      findings,
    );
    return { values: [...map], deviations: findings.deviations.map(({ code, path }) => `${code} ${path}`) };
  };

  it('finds a field by its heading, or by its name', () => {
    expect(
      all(
        [],
        [
          ['files', '- a'],
          ['open points', 'b'],
        ],
      ),
    ).toEqual({
      values: [
        ['files_touched', ['a']],
        ['open_points', 'b'],
      ],
      deviations: [],
    });
  });

  it('prefers the frontmatter', () => {
    expect(all([['summary', 'front']], [['summary', 'body']])).toEqual({
      values: [['summary', 'front']],
      deviations: [],
    });
  });

  it('takes the summary from before the first heading, if it is nowhere else', () => {
    expect(all([], [['', 'It works.']])).toEqual({
      values: [['summary', 'It works.']],
      deviations: ['misplaced-field summary'],
    });
    expect(
      all(
        [],
        [
          ['', 'It works.'],
          ['summary', 'really'],
        ],
      ),
    ).toEqual({ values: [['summary', 'really']], deviations: [] });
  });
});

describe('writeSection', () => {
  it.each<string | string[]>(['one\ntwo', '# a\n- b\n> c', ['a', 'b\nc'], ['# a', '- b'], []])(
    'writes what is read back: %j',
    (words) => {
      const section = writeSection(words);
      expect(valueOf(Array.isArray(words) ? list : text, section ?? '')).toEqual(words);
    },
  );

  it.each<string | string[]>([['none'], [' a'], ['a\n\n'], 'a\rb', ' a '])(
    'does not write %j, which would not be',
    (words) => {
      expect(writeSection(words)).toBeUndefined();
    },
  );
});
