import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacters, piece } from '../../../tests/properties/arbitrary-text.ts';
import { hostileText, units } from '../../../tests/properties/linear-time.ts';
import { fewerRuns, isLong } from '../../../tests/properties/runs.ts';
import { fileActions } from '../../contracts/result.ts';
import { type WorkFinding, workFindingSchema } from '../../core/event/verification.ts';
import { checkClaims, unmet } from './claims.ts';
import { evidenceText, finding, verificationVerdict } from '../../core/event/work-findings.ts';
import { checkLeftBehind } from './left-behind.ts';
import { namedIn } from './named-in-text.ts';
import { checkScope } from './scope.ts';
import { checkSecrets } from './secrets.ts';
import { checkTests } from './test-changes.ts';
import type { ChangedLines, WorkChange } from '../work.ts';
import { leastTime } from '../../../tests/support/processor-time.ts';

/** What some check gives a meaning to. */
// prettier-ignore
const words = [
  '// ', '# ', '/* ', 'TODO: implement', '... rest of the code', 'your code here', 'throw new Error("not implemented")',
  '<<<<<<< ', '>>>>>>> x', '=======', "it('", 'it.skip(', 'def test_', '#[test]', '@pytest.mark.skip', 'xit "', 'skip: true',
  'password = "', 'ghp_', 'AKIA', '-----BEGIN PRIVATE KEY-----', '-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----', 'q7Zp2mLx9RtVb4KdW8sNfHcJ3gYe', '://a:b@', 'Bearer ',
  'src/a.ts', './run', 'npm run x', 'a/', '.ts', ':12', ' no ', '<summary>', '[your name]', 'lorem ipsum',
  ';', '; ', ' -- ', ' * ',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...words), piece, anyCharacters(8)), { maxLength: 8 })
  .map((parts) => parts.join(''));
const path = fc.oneof(
  fc.constantFrom(
    'src/a.ts',
    'src/a.test.ts',
    '.divisi/x',
    '.git/x',
    ':/x',
    'a.md',
    'tests/b.py',
    '.',
    'src',
    'key.pem',
  ),
  text,
);
const change = fc.record({
  path,
  change: fc.constantFrom('added', 'edited', 'deleted'),
  mode: fc.constantFrom('100644', '120000', '160000', ''),
});
const changedLines = fc.record({
  path,
  added: fc.array(fc.record({ line: fc.nat(), text }), { maxLength: 6 }),
  removed: fc.array(text, { maxLength: 4 }),
});
const work = fc.record({
  changes: fc.array(change, { maxLength: 6 }),
  lines: fc.array(changedLines, { maxLength: 4 }),
  touched: fc.array(fc.record({ path, action: fc.constantFrom(...fileActions) }), { maxLength: 6 }),
  texts: fc.array(text, { maxLength: 4 }),
  files: fc.constantFrom('none', 'changed', 'with-actions'),
});
type Any = typeof work extends fc.Arbitrary<infer T> ? T : never;

function allFindings({ changes, lines, touched, texts, files }: Any): WorkFinding[] {
  const all: readonly WorkChange[] = changes;
  const claimed = { claims: { files, touched, artifacts: texts, evidence: [] }, changes: all, ownPaths: texts };
  return [
    ...checkScope({
      changes: all,
      scope: texts,
      forbidden: texts.slice(1),
      ownPaths: texts,
      linkTargets: new Map(all.map((one, at) => [one.path, texts[at] ?? '..'])),
    }),
    ...checkClaims({
      ...claimed,
      open: unmet(claimed, new Set(texts)),
      renames: new Map(all.map((one, at) => [one.path, texts[at] ?? 'x'])),
      there: new Set(texts),
      ignored: new Set(texts.slice(1)),
    }),
    ...checkSecrets(lines),
    ...checkLeftBehind(lines),
    ...checkTests(all, lines),
    ...texts.map((claim) =>
      finding('evidence-unknown', { claim, fact: namedIn(claim).files.join(' '), paths: [claim] }),
    ),
  ];
}

describe('whatever a change contains', () => {
  it('every check has an answer, and what it says is harmless', () => {
    const total = fc.property(work, (given) => {
      const findings = allFindings(given);
      const commands = given.texts.map((tail) => ({
        argv: [tail],
        from: 'plan' as const,
        ok: false,
        end: tail,
        milliseconds: 0,
        tail,
      }));
      const told = evidenceText({ findings, commands });
      expect(told.length).toBeLessThanOrEqual(2000);
      expect(told.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      expect(verificationVerdict(findings) === 'rejected').toBe(findings.some(({ rejects }) => rejects));
      for (const one of findings) {
        expect(workFindingSchema().safeParse(one).success).toBe(true);
        expect([one.claim ?? '', one.fact, ...one.paths].join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      }
    });
    fc.assert(total, fewerRuns);
  });
});

describe('a line of a megabyte', () => {
  const checks: Readonly<Record<string, (lines: ChangedLines) => unknown>> = {
    'left behind': (lines) => checkLeftBehind([lines]),
    tests: (lines) => checkTests([{ path: lines.path, change: 'deleted', mode: '' }], [lines]),
    secrets: (lines) => checkSecrets([lines]),
    names: ({ removed }) => namedIn(removed[0] ?? ''),
    finding: ({ removed: [claim = ''] }) => finding('placeholder', { claim, fact: claim, paths: [claim] }),
  };

  const nearlyKey = `${'a'.repeat(39)} `.repeat(250);

  it.each(Object.keys(checks))('takes no time worth mentioning: %s', { timeout: 60_000 }, (name) => {
    const slow = [...words, ...(isLong ? units : [])].filter((unit) => {
      const long = hostileText(unit, 1_000_000);
      // Below it, what is nearly the body of a key.
      const below = Array.from({ length: 5 }, (_, at) => ({ line: at + 2, text: nearlyKey }));
      const inOne = { path: 'src/a.ts', added: [{ line: 1, text: long }, ...below], removed: [long] };
      const inMany = {
        path: 'src/a.test.ts',
        added: hostileText(`${unit}${unit}\n`, 200_000)
          .split('\n')
          .map((one, line) => ({ line, text: one })),
        removed: [],
      };
      // As much of a line as is looked at, with a word that makes it worth it.
      const full = { text: `${hostileText(unit, 390).slice(0, 390)} here`, line: 1 };
      const inFull = { path: 'src/a.ts', added: Array.from({ length: 100 }, () => full), removed: [] };
      const isSlow = (lines: ChangedLines, limit: number): boolean =>
        leastTime(() => checks[name]?.(lines), limit) > limit;
      return isSlow(inOne, 250) || isSlow(inMany, 500) || isSlow(inFull, 150);
    });
    expect(slow).toEqual([]);
  });
});
