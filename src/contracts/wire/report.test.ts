import { describe, expect, it } from 'vitest';
import { limits } from '../field.ts';
import { Findings } from '../finding.ts';
import { Plain, type Raw } from './raw.ts';
import { findReport } from './report.ts';

const known = new Set(['status', 'notes', 'summary', 'issues']);

interface Outcome {
  readonly values: readonly string[] | undefined;
  readonly sections: Readonly<Record<string, string>> | undefined;
  readonly violations: readonly string[];
  readonly deviations: readonly string[];
}

const words = (raw: Raw): string => (raw instanceof Plain ? raw.text : JSON.stringify(raw));

function find(text: string): Outcome {
  const findings = new Findings();
  const found = findReport(text, known, known, findings);
  return {
    values: found && [...found.values].map(([key, raw]) => `${key}=${words(raw)}`),
    sections: found && Object.fromEntries([...found.sections].filter(([, section]) => section !== '')),
    violations: findings.violations.map(({ code, got }) => `${code}: ${got}`),
    deviations: findings.deviations.map(({ code }) => code),
  };
}

const report = '---\nstatus: done\n---\n\n## Summary\n\nIt works.\n';
const whole = { values: ['status=done'], sections: { summary: 'It works.' }, violations: [], deviations: [] };

describe('findReport', () => {
  it.each<[what: string, text: string, ...deviations: string[]]>([
    ['alone', report],
    ['after blank lines', `\n\n${report}`],
    ['after prose', `Here it is:\n\n${report}`, 'text-around'],
    ['after prose with a rule', `Done.\n\n---\n\nMore words\n\n---\nAnd these\n---\n${report}`, 'text-around'],
    ['after an example in a fence', `Like this:\n\`\`\`\n---\nstatus: failed\n---\n\`\`\`\n${report}`, 'text-around'],
    ['in a fence', `\`\`\`markdown\n${report}\`\`\`\n`, 'fence-around'],
    ['in a fence in prose', `Here:\n~~~\n${report}~~~\nBye`, 'fence-around', 'text-around'],
    ['ended by dots', report.replace('done\n---', 'done\n...')],
    ['blanks behind the marks', report.replaceAll('---\n', '--- \t\n')],
  ])('%s', (_what, text, ...deviations) => {
    expect(find(text)).toEqual({ ...whole, deviations });
  });

  it.each([
    ['no marks', 'status: done'],
    ['marks around nothing', 'a\n---\n\n---\nb'],
    ['marks within a line', 'a --- b\nc --- d'],
    ['a block', '---OUTPUT---\nstatus: done\n---END---'],
  ])('finds nothing: %s', (_what, text) => {
    expect(find(text)).toMatchObject({ values: undefined });
  });

  it('keeps the fences of a report inside a fence', () => {
    const text = '```markdown\n---\nstatus: done\n---\n## Summary\nRun\n```sh\nnpm test\n```\nfirst.\n```\n';
    expect(find(text)).toMatchObject({
      values: ['status=done'],
      sections: { summary: 'Run\n```sh\nnpm test\n```\nfirst.' },
    });
  });

  it('salvages frontmatter that is not YAML', () => {
    const text = '---\nstatus: done\nnotes: - a: b: c\nsummary: "x" y\n---\n';
    expect(find(text)).toMatchObject({
      values: ['status=done', 'notes=- a: b: c', 'summary="x" y'],
      violations: [],
      deviations: ['yaml-salvaged'],
    });
  });

  it('records keys given twice', () => {
    expect(find('---\nstatus: done\nstatus: failed\n---\n')).toMatchObject({
      values: ['status=failed'],
      deviations: ['duplicate-key'],
    });
  });

  it.each([
    ['an alias', 'a: *b', 'aliases are not allowed (line 2)'],
    ['an anchor', 'a: &b c', 'anchors are not allowed (line 2)'],
    ['a tag', 'a: !!python/object b', 'tags are not allowed (line 2)'],
  ])('refuses %s', (_what, line, reason) => {
    expect(find(`---\nstatus: done\n${line}\n---\n\n## Summary\n\nIt works.\n`)).toEqual({
      values: [],
      sections: { summary: 'It works.' },
      violations: [`yaml-refused: ${reason}`],
      deviations: [],
    });
  });

  it('reads frontmatter that does not end as far as it goes', () => {
    expect(find('---\nstatus: done\nnotes: a')).toMatchObject({
      values: ['status=done', 'notes=a'],
      violations: ['frontmatter-unterminated: the end of the text'],
    });
  });

  it('refuses frontmatter above 64 KiB', () => {
    const front = (length: number): string =>
      `status: done\nnotes: ${'x'.repeat(length - 'status: done\nnotes: \n'.length)}\n`;
    expect(front(limits.frontmatter)).toHaveLength(64 * 1024);
    expect(find(`---\n${front(limits.frontmatter)}---\n`)).toMatchObject({ violations: [] });
    expect(find(`---\n${front(limits.frontmatter + 1)}---\n`)).toMatchObject({
      values: [],
      violations: ['frontmatter-too-large: 65537 characters'],
    });
  });

  it.each<[what: string, body: string, sections: Readonly<Record<string, string>>, ...deviations: string[]]>([
    ['text before the first heading', 'First.\n\n## Issues\nx', { '': 'First.', issues: 'x' }],
    ['any level, case and colon', '# SUMMARY:\na\n###### issues ##\nb', { summary: 'a', issues: 'b' }],
    ['a title above', '# Report\n\n## Summary\na\n## Issues\nb', { summary: 'a', issues: 'b' }],
    ['headings within a section', '## Summary\na\n### Why\nb\n## Issues\nc', { summary: 'a\n### Why\nb', issues: 'c' }],
    ['a field below another', '# Summary\na\n## Issues\nb', { summary: 'a', issues: 'b' }],
    [
      'headings in a fence',
      '## Summary\n```\n# Issues\n```\n## Issues\nb',
      { summary: '```\n# Issues\n```', issues: 'b' },
    ],
    ['no heading without a blank', '## Summary\n#1 is fixed', { summary: '#1 is fixed' }],
    ['a section twice', '## Summary\na\n## Summary\nb', { summary: 'a' }, 'duplicate-key'],
  ])('sections: %s', (_what, body, sections, ...deviations) => {
    expect(find(`---\nstatus: done\n---\n${body}`)).toEqual({ ...whole, sections, deviations });
  });

  it('ends in good time on a million marks', () => {
    for (const piece of ['---\n', '---\na: b\n', '# a\n', '```\n---\n', '---\nstatus: x\n']) {
      expect(find(`---\nstatus: done\n---\n${piece.repeat(100_000)}`).values).toEqual(['status=done']);
      expect(find(piece.repeat(100_000)).deviations.length).toBeLessThanOrEqual(limits.findings);
    }
  });
});
