/**
 * A scenario file: YAML text → scenario, or SCENARIO_INVALID with file, line and every fault.
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
 * default:
 *   - turns: [{ return: "task {{task}} is done" }]
 * ```
 */
import * as z from 'zod/mini';
import { readStrictYaml, wholeNumber, yamlError } from '../../config/strict-yaml.ts';
import { pathFault } from '../../contracts/paths.ts';
import { failures, type Scenario, type ScriptedAttempt, type ScriptedEnd, type ScriptedTurn } from './scenario.ts';

const insidePath = z.string().check((context) => {
  const fault = pathFault(context.value);
  if (fault === undefined) return;
  const message = `a path inside the directory, not one that is ${fault}`;
  context.issues.push({ code: 'custom', message, input: context.value });
});

const turnSchema = z
  .strictObject({
    after: z._default(wholeNumber(0, 999_999_999), 0),
    write: z._default(z.record(insidePath, z.string()), {}),
    return: z.optional(z.string()),
    fail: z.optional(z.enum(failures)),
    hang: z.optional(z.literal('true')),
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
    if (value.said !== undefined && value.return !== undefined) fault('what a turn returns is what it said', 'said');
  });

const attemptsSchema = z
  .array(z.strictObject({ turns: z.array(turnSchema).check(z.minLength(1, 'at least one turn')) }))
  .check(z.minLength(1, 'at least one attempt'));

const scenarioSchema = z.strictObject({
  tasks: z._default(z.record(z.string().check(z.minLength(1)), attemptsSchema), {}),
  default: z.optional(attemptsSchema),
});

export function parseScenario(text: string, file: string): Scenario {
  const read = readStrictYaml(text, scenarioSchema);
  if (!read.ok) {
    const next = 'Correct the file; docs/drivers.md shows the form of a scenario.';
    throw yamlError('SCENARIO_INVALID', file, read.faults, next);
  }
  const tasks = Object.entries(read.value.tasks).map(([task, attempts]) => [task, attempts.map(attemptFrom)]);
  return {
    tasks: Object.fromEntries(tasks) as Scenario['tasks'],
    ...(read.value.default === undefined ? {} : { default: read.value.default.map(attemptFrom) }),
  };
}

function attemptFrom({ turns }: { turns: readonly z.infer<typeof turnSchema>[] }): ScriptedAttempt {
  return { turns: turns.map((turn): ScriptedTurn => ({ after: turn.after, write: turn.write, end: endFrom(turn) })) };
}

function endFrom({ return: text, fail, message, said = '' }: z.infer<typeof turnSchema>): ScriptedEnd {
  if (text !== undefined) return { kind: 'return', text };
  if (fail === undefined) return { kind: 'hang', said };
  return { kind: 'fail', cause: fail, message: message ?? 'the scenario says so', said };
}
