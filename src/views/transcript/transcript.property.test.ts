/** Any output of a program is shown without errors, on our own lines, and cannot control the terminal. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewerRuns } from '../../../tests/properties/runs.ts';
import { unsafe } from '../../base/text.ts';
import { newestLine } from './transcript-text.ts';
import { transcriptReader } from './transcript-reader.ts';
import { transcriptText } from './transcript-text.ts';

const words = [
  'type',
  'assistant',
  'user',
  'system',
  'result',
  'message',
  'content',
  'text',
  'tool_use',
  'tool_result',
  'item',
];
const more = [
  'item.completed',
  'error',
  'part',
  'state',
  'step_finish',
  'to',
  'from',
  'method',
  'params',
  'update',
  'id',
  'at',
];
const acp = [
  'session/update',
  'session/prompt',
  'sessionUpdate',
  'agent_message_chunk',
  'tool_call',
  'toolCallId',
  'rawInput',
];
const word = fc.oneof(fc.constantFrom(...words, ...more, ...acp), fc.string({ unit: 'binary', maxLength: 20 }));
const { message } = fc.letrec<{ message: unknown }>((tie) => ({
  message: fc.oneof(
    { maxDepth: 6 },
    word,
    fc.constantFrom(null, true, 0, -1, 1e300),
    fc.array(tie('message'), { maxLength: 4 }),
    fc.dictionary(word, tie('message'), { maxKeys: 5 }),
  ),
}));
const line = fc.oneof(
  { weight: 4, arbitrary: message.map((value) => JSON.stringify(value)) },
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const labels = /^(?:(?:says|thinks|tool|asks|answer|error|waits|usage|note|sent)(?: |$)|$| {8})/;

describe.each(['acp', 'claude', 'codex', 'gemini', 'opencode', 'another'])('%s', (dialect) => {
  it('shows whatever comes', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const read = transcriptReader(dialect);
        const text = transcriptText();
        const entries = lines.flatMap((one) => read(one));
        const shown = [...entries.flatMap((entry) => [...text.add(entry), ...text.idle()]), ...text.end()];
        for (const { text: one } of shown) {
          expect(one).toMatch(labels);
          expect(one.replaceAll('\t', '')).not.toMatch(/[\n\r]/);
          expect(one.search(unsafe)).toBe(-1);
        }
        expect(newestLine(dialect, lines).search(unsafe)).toBe(-1);
      }),
      fewerRuns,
    );
  });
});
