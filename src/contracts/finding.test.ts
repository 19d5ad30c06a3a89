import { describe, expect, it } from 'vitest';
import { limits } from './field.ts';
import { excerpt, Findings, violationText } from './finding.ts';

describe('excerpt', () => {
  it.each([
    ['a short text', 'as it is', 'as it is'],
    ['line ends', 'a\n\n  b\tc ', 'a b c'],
    ['a terminal sequence', '\u001B[31mred\u001B[0m', '[31mred [0m'],
    ['a line end that is no blank', 'a\u0085b', 'a b'],
    ['exactly as long as it may be', 'x'.repeat(80), 'x'.repeat(80)],
    ['one too many', 'x'.repeat(81), `${'x'.repeat(79)}…`],
  ])('%s', (_what, text, shown) => {
    expect(excerpt(text)).toBe(shown);
  });

  it('shows no secret', () => {
    const secret = `ghp_${'aB3dE5gH7jK9mN'.repeat(3).slice(0, 36)}`;
    expect(excerpt(`the token is ${secret}`)).not.toContain(secret.slice(0, 12));
  });

  it.each([0, 1, 2, 3])('never ends in half a character (%i before)', (before) => {
    const shown = excerpt('x'.repeat(before) + '🎻'.repeat(500));
    expect(shown.isWellFormed()).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(80);
  });
});

describe('violationText', () => {
  it.each([
    [
      { code: 'missing', path: 'status', expected: 'a status', got: '' } as const,
      'status [missing]: expected a status; got nothing',
    ],
    [
      { code: 'no-return', path: '', expected: 'a block', got: 'prose' } as const,
      'the return [no-return]: expected a block; got prose',
    ],
    [
      {
        code: 'rule-broken',
        path: 'critical',
        expected: 'an approved review has no critical issue',
        got: 'a list',
      } as const,
      'critical [rule-broken]: an approved review has no critical issue; got a list',
    ],
  ])('%j', (violation, text) => {
    expect(violationText(violation)).toBe(text);
  });
});

describe('Findings', () => {
  it('keeps so many and no more', () => {
    const findings = new Findings();
    for (let at = 0; at < limits.findings + 5; at++) {
      findings.violate('missing', `field_${at}`, 'text', 'nothing');
      findings.deviate('spelling', `field_${at}`, 'a word');
    }
    expect(findings.violations).toHaveLength(limits.findings);
    expect(findings.deviations).toHaveLength(limits.findings);
    expect(findings.violations[0]).toEqual({ code: 'missing', path: 'field_0', expected: 'text', got: 'nothing' });
  });
});
