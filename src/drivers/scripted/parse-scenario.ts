/**
 * Parses a scenario file (YAML). Throws SCENARIO_INVALID with file, line and every fault.
 *
 * ```yaml
 * tasks:
 *   "1.1":
 *     - turns:
 *         - { after: 20, write: { src/a.txt: "hello\n", "{{report}}": "# Done\n" }, return: "…" }
 *         - { return: "… the answer to the first repair" }
 *     - turns: [{ fail: exit, message: "out of memory", said: "half a return" }]
 *   "1.2":
 *     - turns: [{ hang: true }]
 *   "1.3":
 *     - turns: [{ fail: quota, retry_after: 30, usage: { tokens: 10, cost: 0.01 } }]
 * agents:
 *   wave-reviewer:
 *     - turns: [{ write: { "{{report}}": "# Review\n" }, return: "LOW|nothing-to-do|{{report}}" }]
 * default:
 *   - turns: [{ return: "task {{task}} is done" }]
 * ```
 */
import { defined } from '../../base/defined.ts';
import * as z from 'zod/mini';
import { readStrictYaml, wholeNumber, yamlError } from '../../config/strict-yaml.ts';
import { pathFault } from '../../base/paths.ts';
import { mostUsage, usageFrom, withUsage } from '../../dialects/usage.ts';
import { failures, type Scenario, type ScriptedAttempt, type ScriptedEnd, type ScriptedTurn } from './scenario.ts';

const insidePath = z.string().check((context) => {
  const fault = pathFault(context.value);
  if (fault === undefined) return;
  const message = `a path inside the directory, not one that is ${fault}`;
  context.issues.push({ code: 'custom', message, input: context.value });
});

const costRange = `a number from 0 to ${mostUsage}`;
/** A number as JavaScript prints it. */
const costText = z
  .string()
  .check(z.regex(/^\d{1,13}(?:\.\d{1,30})?(?:e-\d{1,3})?$/, { error: costRange, abort: true }));
const cost = z.pipe(z.pipe(costText, z.transform(Number)), z.number().check(z.maximum(mostUsage, costRange)));
const usageSchema = z.strictObject({ tokens: z.optional(wholeNumber(0, mostUsage)), cost: z.optional(cost) });

const turnSchema = z
  .strictObject({
    after: z._default(wholeNumber(0, 999_999_999), 0),
    write: z._default(z.record(insidePath, z.string()), {}),
    return: z.optional(z.string()),
    fail: z.optional(z.enum(failures)),
    hang: z.optional(z.literal('true')),
    retry_after: z.optional(wholeNumber(0, 999_999_999)),
    usage: z.optional(usageSchema),
    message: z.optional(z.string()),
    said: z.optional(z.string()),
  })
  .check(({ value, issues }) => {
    const fault = (message: string, ...path: string[]): unknown =>
      issues.push({ code: 'custom', message, path, input: value });
    const ends = [value.return, value.fail, value.hang].filter((end) => end !== undefined);
    if (ends.length !== 1) fault('a turn has one of return, fail and hang');
    if (value.message !== undefined && value.fail === undefined)
      fault('only a turn that fails has a message', 'message');
    if (value.retry_after !== undefined && value.fail !== 'quota')
      fault('only a turn that fails for its quota has a time to retry', 'retry_after');
    if (value.said !== undefined && value.return !== undefined) fault('what a turn returns is what it said', 'said');
  });

const attemptsSchema = z
  .array(z.strictObject({ turns: z.array(turnSchema).check(z.minLength(1, 'at least one turn')) }))
  .check(z.minLength(1, 'at least one attempt'));

const byName = z.record(z.string().check(z.minLength(1)), attemptsSchema);

const scenarioSchema = z.strictObject({
  tasks: z._default(byName, {}),
  agents: z.optional(byName),
  default: z.optional(attemptsSchema),
});

export function parseScenario(text: string, file: string): Scenario {
  const read = readStrictYaml(text, scenarioSchema);
  if (!read.ok) {
    const next = 'Fix the file; docs/drivers.md shows the form of a scenario.';
    throw yamlError('SCENARIO_INVALID', file, read.faults, next);
  }
  const { tasks, agents, default: others } = read.value;
  return {
    tasks: namedFrom(tasks),
    ...(agents === undefined ? {} : { agents: namedFrom(agents) }),
    ...(others === undefined ? {} : { default: others.map(attemptFrom) }),
  };
}

function namedFrom(named: z.infer<typeof byName>): Scenario['tasks'] {
  const rows = Object.entries(named).map(([name, attempts]) => [name, attempts.map(attemptFrom)]);
  return Object.fromEntries(rows) as Scenario['tasks'];
}

function attemptFrom({ turns }: { turns: readonly z.infer<typeof turnSchema>[] }): ScriptedAttempt {
  return { turns: turns.map(turnFrom) };
}

function turnFrom(turn: z.infer<typeof turnSchema>): ScriptedTurn {
  return { after: turn.after, write: turn.write, ...withUsage(usageFrom(turn.usage)), end: endFrom(turn) };
}

function endFrom(turn: z.infer<typeof turnSchema>): ScriptedEnd {
  const { return: text, fail, retry_after: retryAfter, message = 'the scenario says so', said = '' } = turn;
  if (text !== undefined) return { kind: 'return', text };
  if (fail === undefined) return { kind: 'hang', said };
  if (fail !== 'quota') return { kind: 'fail', cause: fail, message, said };
  return { kind: 'fail', cause: fail, ...defined({ retryAfter }), message, said };
}
