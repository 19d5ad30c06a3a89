import { describe, expect, it } from 'vitest';
import { Findings } from '../finding.ts';
import { findLine, statusLine } from './line.ts';
import { Plain, type Raw } from './raw.ts';

const verdict = ['priority', 'action', 'path'];

function find(text: string, names: readonly string[]): unknown {
  const findings = new Findings();
  const found = findLine(text, names, findings);
  const words = (raw: Raw): string => (raw instanceof Plain ? raw.text : `quoted ${JSON.stringify(raw)}`);
  return {
    values: found && [...found.values].map(([key, raw]) => `${key}=${words(raw)}`),
    violations: findings.violations.map(({ code }) => code),
    deviations: findings.deviations.map(({ code }) => code),
  };
}

type Row = readonly [
  what: string,
  text: string,
  names: readonly string[],
  values: readonly string[],
  ...deviations: string[],
];

const high = ['priority=HIGH', 'action=fix', 'path=a.md'];
const done = ['status=done', 'path=a.md'];

const rows: readonly Row[] = [
  ['a verdict', 'HIGH|fix|a.md', verdict, high],
  ['blanks around the parts', ' HIGH | fix | a.md \n', verdict, high],
  ['a role first, which says nothing', 'plan|success|a.md', statusLine, ['status=success', 'path=a.md']],
  ['quotes', 'HIGH|"fix it"|a.md', verdict, ['priority=HIGH', 'action=quoted "fix it"', 'path=a.md']],
  ['code', '`HIGH|fix|a.md`', verdict, high],
  ['bold', '**HIGH|fix|a.md**', verdict, high],
  ['quotes around it all', '"HIGH|fix|a.md"', verdict, high],
  [
    'quotes around its ends',
    '"HIGH"|fix|"a.md"',
    verdict,
    ['priority=quoted "HIGH"', 'action=fix', 'path=quoted "a.md"'],
  ],
  ['text around', 'Verdict:\nHIGH|fix|a.md\nBye', verdict, high, 'text-around'],
  ['several: the last counts', 'LOW|x|b.md\nHIGH|fix|a.md', verdict, high, 'text-around'],
  ['in a fence', '```\nHIGH|fix|a.md\n```', verdict, high, 'fence-around', 'text-around'],
  ['outside a fence before inside', 'HIGH|fix|a.md\n```\nLOW|x|b.md\n```', verdict, high, 'text-around'],
  ['no row of a table', '| HIGH | fix | a.md |\nHIGH|fix|a.md', verdict, high, 'text-around'],
  ['the sentence', 'Task done. Report: a.md', statusLine, done],
  ['the sentence in quotes', '"Task done. Report: a.md"', statusLine, done],
  ['the sentence in bold', '**Task done. Report: a.md**', statusLine, done],
  ['the sentence with its full stop', 'Task done. Report: a.md.', statusLine, done],
  ['the sentence before others', 'Task done. Report: a.md. All tests pass.', statusLine, done],
  ['the sentence with brackets in the path', 'Task done. Report: a/(b)', statusLine, ['status=done', 'path=a/(b)']],
  ['the sentence after others', 'All good.\nTask done.  Report:  a.md', statusLine, done, 'text-around'],
  [
    'the sentence with a path of words',
    'Task done. Report: my reports/a.md',
    statusLine,
    ['status=done', 'path=my reports/a.md'],
  ],
];

describe('findLine', () => {
  it.each(rows.map(([what, text, names, ...expected]) => ({ what, text, names, expected })))(
    '$what',
    ({ text, names, expected: [values, ...deviations] }) => {
      expect(find(text, names)).toEqual({ values, violations: [], deviations });
    },
  );

  it.each([
    ['too few parts', 'HIGH|fix'],
    ['too many parts', 'HIGH|fix|a.md|b'],
    ['an empty part', 'HIGH||a.md'],
    ['a row of a table', '| HIGH | fix | a.md |'],
    ['another sentence', 'The report: a.md'],
    ['nothing', ''],
  ])('finds nothing: %s', (_what, text) => {
    expect(find(text, verdict)).toEqual({ values: undefined, violations: [], deviations: [] });
  });

  it.each([
    [99, []],
    [100, ['line-too-long']],
    [101, ['line-too-long']],
  ])('of %i characters, whatever its path', (length, violations) => {
    const line = `HIGH|${'x'.repeat(length - 'HIGH||'.length)}|`;
    expect(line).toHaveLength(length);
    expect(find(`${line}a.md`, verdict)).toMatchObject({ violations });
    expect(find(`${line}${'a/'.repeat(60)}a.md`, verdict)).toMatchObject({ violations });
  });
});
