/** A scenario as the YAML that `parseScenario` reads back as the same scenario. Secrets are taken out of its texts. */
import { dump, FAILSAFE_SCHEMA } from 'js-yaml';
import { redact } from '../../contracts/redact.ts';
import type { Scenario, ScriptedAttempt, ScriptedEnd, ScriptedTurn } from './scenario.ts';

export function printScenario(scenario: Scenario): string {
  const tasks = Object.entries(scenario.tasks).map(([task, attempts]) => [task, attempts.map(attemptRow)]);
  const rows = {
    tasks: Object.fromEntries(tasks) as unknown,
    ...(scenario.default === undefined ? {} : { default: scenario.default.map(attemptRow) }),
  };
  return dump(rows, { schema: FAILSAFE_SCHEMA, lineWidth: -1, noRefs: true });
}

function attemptRow({ turns }: ScriptedAttempt): unknown {
  return { turns: turns.map(turnRow) };
}

function turnRow({ after, write, end }: ScriptedTurn): unknown {
  const files = Object.entries(write).map(([path, text]) => [path, clean(text)]);
  return {
    ...(after === 0 ? {} : { after: String(after) }),
    ...(files.length === 0 ? {} : { write: Object.fromEntries(files) as unknown }),
    ...endRow(end),
  };
}

function endRow(end: ScriptedEnd): Record<string, string> {
  switch (end.kind) {
    case 'return':
      return { return: clean(end.text) };
    case 'fail':
      return { fail: end.cause, message: clean(end.message), ...saidRow(end.said) };
    case 'hang':
      return { hang: 'true', ...saidRow(end.said) };
    default:
      return end satisfies never;
  }
}

function saidRow(said: string): Record<string, string> {
  return said === '' ? {} : { said: clean(said) };
}

/** Half characters cannot be written to a file. */
function clean(text: string): string {
  return redact(text.toWellFormed()).text;
}
