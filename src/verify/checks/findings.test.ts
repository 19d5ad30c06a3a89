import { defined } from '../../base/defined.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CommandRun, findingKinds, workFindingSchema } from '../../core/event/verification.ts';
import {
  evidenceText,
  finding,
  findingLine,
  shortList,
  rejectingFirst,
  verificationVerdict,
} from '../../core/event/work-findings.ts';

const token = `ghp_${'q7Zp2mLx9RtVb4KdW8sN'.toUpperCase()}fHcJ`;

function command(ok: boolean, tail?: string): CommandRun {
  const end = ok ? 'exit code 0' : 'exit code 1';
  return { argv: ['npm', 'test'], from: 'plan', ok, end, milliseconds: 1, ...defined({ tail }) };
}

describe('the verdict', () => {
  it('is what the worst finding says', () => {
    const worth = finding('empty-diff', { fact: 'a' });
    const wrong = finding('outside-scope', { fact: 'b' });
    expect([[], [worth], [worth, wrong], [wrong]].map(verificationVerdict)).toEqual([
      'verified',
      'degraded',
      'rejected',
      'rejected',
    ]);
    expect(rejectingFirst([worth, wrong, worth]).map(({ fact }) => fact)).toEqual(['b', 'a', 'a']);
  });

  it('rejects by kind, as the guide says', () => {
    const rows = readFileSync(new URL('../../../docs/verification.md', import.meta.url), 'utf8').matchAll(
      /^\| `([a-z-]+)` \| (yes|no) \|/gm,
    );
    const told = rows.map(([, kind, rejects]) => [kind, rejects === 'yes']).toArray();
    expect(told).toEqual(findingKinds.map((kind) => [kind, finding(kind, { fact: '' }).rejects]));
    expect(told.filter(([, rejects]) => rejects)).toHaveLength(19);
  });
});

describe('a finding', () => {
  it('is one harmless line each, redacted and cut', () => {
    const hostile = `a\u001B[31m\n\u202E${token} ${'x'.repeat(1_000_000)}`;
    const one = finding('placeholder', {
      claim: hostile,
      fact: hostile,
      paths: Array.from({ length: 1000 }, () => hostile),
    });
    expect(workFindingSchema().safeParse(one).success).toBe(true);
    const texts = [one.claim ?? '', one.fact, ...one.paths];
    expect(texts).toHaveLength(52);
    for (const text of texts) {
      expect(text).toMatch(/^a \[31m \[redacted:github\] x+…$/);
      expect(text.length).toBeLessThanOrEqual(300);
    }
  });

  it('is told as claim and fact', () => {
    expect(findingLine(finding('claimed-unchanged', { claim: 'edited a', fact: 'it is unchanged' }))).toBe(
      'claimed-unchanged: claimed edited a; in fact it is unchanged',
    );
    expect(findingLine(finding('empty-diff', { fact: 'no files changed' }))).toBe('empty-diff: no files changed');
  });

  it('lists some of many', () => {
    expect([shortList(['a']), shortList(['a', 'b']), shortList(['a', 'b', 'c'], 2)]).toEqual([
      'a',
      'a, b',
      'a, b and 1 more',
    ]);
  });
});

describe('what the next attempt is told', () => {
  it('lists what must be fixed first, then what is worth checking', () => {
    const findings = [
      finding('placeholder', { fact: 'something is left at a.ts:1' }),
      finding('claimed-unchanged', { claim: 'edited a', fact: 'it is unchanged' }),
    ];
    expect(evidenceText({ findings, commands: [command(true)] })).toBe(
      [
        '- must be fixed: claimed-unchanged: claimed edited a; in fact it is unchanged',
        '- worth checking: placeholder: something is left at a.ts:1',
      ].join('\n'),
    );
  });

  it('has the last lines of a command instead of its finding', () => {
    const findings = [finding('acceptance-failed', { fact: 'npm test: exit code 1' })];
    expect(evidenceText({ findings, commands: [command(false, `1 failed\nsee ${token}`)] })).toBe(
      '- must be fixed: the command npm test: exit code 1; its last lines: 1 failed see [redacted:github]',
    );
    const stack = `> npm test\nRangeError: no price ${token}\nat f\nNode.js v24`;
    expect(evidenceText({ findings, commands: [command(false, stack)] })).toBe(
      '- must be fixed: the command npm test: exit code 1; its error: RangeError: no price [redacted:github] at f Node.js v24',
    );
    expect(evidenceText({ findings, commands: [] })).toBe('- must be fixed: acceptance-failed: npm test: exit code 1');
  });

  it('never grows beyond what anybody should read', () => {
    const findings = findingKinds.flatMap((kind) =>
      [0, 1, 2].map(() => finding(kind, { claim: 'x'.repeat(400), fact: 'y'.repeat(400) })),
    );
    const text = evidenceText({ findings, commands: [command(false, 'z'.repeat(5000))] });
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text).toMatch(/\n- and \d+ more$/);
    expect(evidenceText({ findings: [], commands: [] })).toBe('');
  });
});
