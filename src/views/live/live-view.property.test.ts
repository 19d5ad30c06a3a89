import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { fewerRuns } from '../../../tests/properties/runs.ts';
import { liveModel, liveTask } from '../../../tests/support/live-model.ts';
import { plainLook } from './live-look.ts';
import { type LiveModel, type LiveTask, type LiveWave, noCounts, standings } from './live-model.ts';
import { liveView } from './live-view.ts';

const escape = String.fromCodePoint(27);
const open = [{ id: 'checkpoint-1', why: 'look at the schema', approve: 'continue the run', reject: 'stop' }];

const nasty = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '日本語の計画を書く',
    '👨‍👩‍👧‍👦 family 🇩🇪 e\u{301}\u{301}',
    `${escape}[2J${escape}]0;owned\u{7}`,
    'a\r\nb\tc',
    '\u{202e}abc',
  ),
  fc.integer({ min: 0, max: 5000 }).map((length) => 'x'.repeat(length)),
);
const statuses = [
  'pending',
  'running',
  'repairing',
  'ended',
  'completed',
  'partial',
  'failed',
  'blocked',
  'skipped',
] as const;
const anyTask: fc.Arbitrary<LiveTask> = fc
  .record({ id: nasty, title: nasty, tier: nasty, words: nasty, line: nasty, escalated: fc.boolean() })
  .chain(({ line, ...words }) =>
    fc
      .constantFrom(...statuses)
      .map((status) => liveTask('', status, { ...words, since: 5, activity: { at: 9, line } })),
  );
const anyCounts = fc.tuple(...standings.map(() => fc.nat(100_000))).map((numbers) => {
  const counts = noCounts();
  standings.forEach((standing, at) => (counts[standing] = numbers[at] ?? 0));
  return counts;
});
const anyWave: fc.Arbitrary<LiveWave> = fc.record({
  number: fc.nat(1000),
  title: nasty,
  status: fc.constantFrom('pending', 'running', 'reviewing', 'fixing', 'completed', 'failed'),
  counts: anyCounts,
});
const anyModel: fc.Arbitrary<LiveModel> = fc
  .record({
    tasks: fc.array(anyTask, { maxLength: 30 }),
    counts: anyCounts,
    title: nasty,
    wave: fc.option(anyWave),
    before: fc.array(anyWave, { maxLength: 8 }),
    after: fc.array(anyWave, { maxLength: 8 }),
    checkpoints: fc.array(fc.record({ id: nasty, why: nasty, approve: nasty, reject: nasty }), { maxLength: 3 }),
    quota: fc.option(fc.record({ until: fc.nat(), guessed: fc.boolean() })),
    more: fc.nat(3),
  })
  .map(({ tasks, more, ...rest }) => {
    const waves = rest.before.length + rest.after.length + (rest.wave === null ? 0 : 1) + more;
    return liveModel(tasks, { ...rest, waves });
  });
const anyLook = fc.record({
  keys: fc.boolean(),
  answers: fc.boolean(),
  armed: fc.constantFrom('approve' as const, 'reject' as const, null),
  stops: fc.nat(3),
});

it('fits into a window of any size, whatever stands in it, and cannot steer the terminal', () => {
  fc.assert(
    fc.property(anyModel, fc.nat(140), fc.nat(40), anyLook, (view, columns, rows, look) => {
      const lines = liveView(view, { columns, rows }, 1_000_000, { ...plainLook, ...look });
      expect(lines.length).toBeLessThanOrEqual(Math.max(0, rows - 1));
      expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([]);
      expect(lines.filter((line) => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(line))).toEqual([]);
    }),
    fewerRuns,
  );
});

it('shows what needs a person in a window of any size', () => {
  fc.assert(
    fc.property(anyModel, fc.integer({ min: 20, max: 140 }), fc.integer({ min: 2, max: 40 }), (view, columns, rows) => {
      const lines = liveView({ ...view, checkpoints: open }, { columns, rows }, 0);
      expect(lines.join('\n')).toContain('divisi approve');
    }),
    fewerRuns,
  );
});
