import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import type { OneShot } from './one-shot.ts';
import { opencode } from './opencode.ts';
import { turnAccount, type TurnEntry } from './turn-account.ts';

const programs: [string, OneShot][] = Object.entries({ claude, codex, gemini, opencode });

/** The words that steer the readers, with anything where something else is expected. */
const words = fc.constantFrom(
  ...`type subtype message content text usage tokens part item error result
stats reason system init assistant rate_limit_event thread.started item.completed turn.completed turn.failed tool_use
tool_result step_start step_finish stop success session_id sessionID state status is_error structured_output
permission_denied api_retry model_usage_since_last_result errors data`.split(/\s/),
);
const { tree: lines } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(true, false, null, -1, 0, 7, 1e300, ''),
    words,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(words, tie('tree'), { maxKeys: 6 }),
  ),
}));

const shapes: Readonly<Record<TurnEntry['kind'], readonly string[]>> = {
  conversation: ['id'],
  said: ['text'],
  waits: ['text'],
  usage: ['text'],
  refused: ['asked', 'why'],
  error: ['text'],
  returned: ['text'],
};

describe.each(programs)('what is read of %s', (_, program) => {
  it('is well formed, whatever the lines are', () => {
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 12 }), (given) => {
        const account = turnAccount(program.reader());
        for (const entry of given.flatMap((line) => account.take(line))) {
          for (const name of shapes[entry.kind]) expect(typeof (entry as Record<string, unknown>)[name]).toBe('string');
          const tokens = (entry.kind === 'usage' ? entry.usage?.tokens : undefined) ?? 0;
          expect(tokens).toBeGreaterThanOrEqual(0);
          expect(tokens).toBeLessThanOrEqual(1e12);
        }
      }),
      { numRuns: 500 },
    );
  });
});
