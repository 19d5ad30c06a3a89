import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { driverTask } from '../../../tests/conformance/driver-task.ts';
import { anyCharacters, arbitraryPath, arbitraryText } from '../../../tests/properties/arbitrary-text.ts';
import { runs } from '../../../tests/properties/runs.ts';
import { redact } from '../../base/redact.ts';
import { mostUsage } from '../../dialects/usage.ts';
import { parseScenario } from './parse-scenario.ts';
import { fillIn, takeOut } from './placeholders.ts';
import { printScenario } from './print-scenario.ts';
import { failures, type Scenario, type ScriptedEnd, type ScriptedTurn } from './scenario.ts';

/** Anything a file can hold that redaction leaves alone. */
const text = fc
  .oneof(
    fc.constant(''),
    arbitraryText(300),
    anyCharacters(20),
    arbitraryText(100).map((line) => `${line}\n\n`),
  )
  .map((given) => redact(given.toWellFormed()).text);

const end: fc.Arbitrary<ScriptedEnd> = fc.oneof(
  fc.record({ kind: fc.constant('return' as const), text }),
  fc.record({ kind: fc.constant('fail' as const), cause: fc.constantFrom(...failures), message: text, said: text }),
  fc.record({
    kind: fc.constant('fail' as const),
    cause: fc.constant('quota' as const),
    retryAfter: fc.integer({ min: 0, max: 999_999_999 }),
    message: text,
    said: text,
  }),
  fc.record({ kind: fc.constant('hang' as const), said: text }),
);
const tokens = fc.integer({ min: 0, max: mostUsage });
const cost = fc.oneof(fc.double({ min: 0, max: mostUsage, noNaN: true }), fc.constantFrom(5e-324, 1e-7, 0.1 + 0.2));
const turn: fc.Arbitrary<ScriptedTurn> = fc.record(
  {
    after: fc.integer({ min: 0, max: 999_999_999 }),
    write: fc.dictionary(arbitraryPath, text, { maxKeys: 3, noNullPrototype: true }),
    usage: fc.oneof(fc.record({ tokens, cost }), fc.record({ tokens }), fc.record({ cost })),
    end,
  },
  { requiredKeys: ['after', 'write', 'end'] },
);
const attempts = fc.array(fc.record({ turns: fc.array(turn, { minLength: 1, maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 2,
});
const taskId = fc.oneof(fc.constantFrom('1.1', '1.10', '2', 'true', '~', 'a: b', 'wave-1:review'), arbitraryText(10));
const byName = fc.dictionary(taskId, attempts, { maxKeys: 3, noNullPrototype: true });
const scenario: fc.Arbitrary<Scenario> = fc.record(
  { tasks: byName, agents: byName, default: attempts },
  { requiredKeys: ['tasks'] },
);

describe('a scenario', () => {
  it('is the same after printing and parsing', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        fc.pre(!JSON.stringify(given).includes('__proto__'));
        expect(parseScenario(printScenario(given), 'scenario.yaml')).toEqual(given);
      }),
      runs,
    );
  });
});

describe('placeholders', () => {
  const task = driverTask('/nowhere', { reportPath: 'reports/1.md', worklogPath: 'reports/1.md.jsonl' });
  const other = driverTask('/elsewhere', {
    delegation: 'sess_1767225600_zzzzzz',
    run: 'run_other',
    reportPath: 'r.md',
  });
  const words = ['task', 'run', 'delegation', 'report', 'worklog', 'attempt', 'braces', 'open'];
  const marks = ['{', '{{', '}', '}}', ' ', '$&', '.', '1'];
  const own = [task.delegation, task.run, task.reportPath, task.worklogPath, task.task];
  const pieces = fc.constantFrom(...words.map((word) => `{{${word}}}`), ...words, ...marks, ...own);
  const template = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));

  it('come out of a text and go back in', () => {
    fc.assert(
      fc.property(template, (given) => {
        expect(fillIn(takeOut(given, task), task)).toBe(given);
      }),
      runs,
    );
  });

  it('are distinguished when one path begins with another', () => {
    expect(fillIn(takeOut(task.worklogPath, task), other)).toBe(other.worklogPath);
  });

  it('leave no id of the run they were taken from', () => {
    fc.assert(
      fc.property(template, (given) => {
        const played = fillIn(takeOut(given, task), other);
        for (const id of [task.delegation, task.run, task.reportPath]) expect(played).not.toContain(id);
      }),
      runs,
    );
  });
});
