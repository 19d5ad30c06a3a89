/** Prints a scenario as YAML that `parseScenario` reads back unchanged, except for redacted secrets. */
import { dump, FAILSAFE_SCHEMA } from 'js-yaml';
import { redact } from '../../base/redact.ts';
import type { TurnUsage } from '../../dialects/usage.ts';
import type { Scenario, ScriptedAttempt, ScriptedEnd, ScriptedTurn } from './scenario.ts';

export function printScenario({ tasks, agents, default: others }: Scenario): string {
  const rows = {
    tasks: namedRows(tasks),
    ...(agents === undefined ? {} : { agents: namedRows(agents) }),
    ...(others === undefined ? {} : { default: others.map(attemptRow) }),
  };
  return dump(rows, { schema: FAILSAFE_SCHEMA, lineWidth: -1, noRefs: true });
}

function namedRows(named: Scenario['tasks']): unknown {
  return Object.fromEntries(Object.entries(named).map(([name, attempts]) => [name, attempts.map(attemptRow)]));
}

function attemptRow({ turns }: ScriptedAttempt): unknown {
  return { turns: turns.map(turnRow) };
}

function turnRow({ after, write, usage, end }: ScriptedTurn): unknown {
  const files = Object.entries(write).map(([path, text]) => [path, clean(text)]);
  return {
    ...(after === 0 ? {} : { after: String(after) }),
    ...(files.length === 0 ? {} : { write: Object.fromEntries(files) as unknown }),
    ...(usage === undefined ? {} : { usage: usageRow(usage) }),
    ...endRow(end),
  };
}

/** Only the numbers: their source is not part of a scenario. */
function usageRow({ tokens, cost }: TurnUsage): Record<string, string> {
  return {
    ...(tokens === undefined ? {} : { tokens: String(tokens) }),
    ...(cost === undefined ? {} : { cost: String(cost) }),
  };
}

function endRow(end: ScriptedEnd): Record<string, string> {
  switch (end.kind) {
    case 'return':
      return { return: clean(end.text) };
    case 'fail':
      return { fail: end.cause, ...retryRow(end), message: clean(end.message), ...saidRow(end.said) };
    case 'hang':
      return { hang: 'true', ...saidRow(end.said) };
    default:
      return end satisfies never;
  }
}

function retryRow(end: Extract<ScriptedEnd, { kind: 'fail' }>): Record<string, string> {
  return end.cause !== 'quota' || end.retryAfter === undefined ? {} : { retry_after: String(end.retryAfter) };
}

function saidRow(said: string): Record<string, string> {
  return said === '' ? {} : { said: clean(said) };
}

/** Lone surrogates cannot be written to a file. */
function clean(text: string): string {
  return redact(text.toWellFormed()).text;
}
