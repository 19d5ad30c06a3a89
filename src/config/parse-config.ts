/**
 * Parse config: reads `.divisi/config.yaml` and fills in defaults. Throws CONFIG_INVALID with file, line and every fault.
 *
 * ```yaml
 * driver: worker
 * concurrency: 4
 * grace: 10
 * deadlines: { research: 3600, implementing: 7200 }
 * drivers:
 *   worker: { kind: command, argv: [node, tools/worker.mjs], environment: [OPENAI_API_KEY, MY_*] }
 *   demo: { kind: scripted, scenario: scenario.yaml }
 * commands: { plan: { agent: my-planner }, research: { languages: { lean: lean-research-agent }, default: researcher } }
 * workspace: { setup: [[npm, ci]], link: [node_modules], accept: [[npm, test]] }
 * specs: .claude/specs
 * ```
 */
import * as z from 'zod/mini';
import { programNames } from './client-settings.ts';
import { type Config, configSchema } from './config.ts';
import { readStrictYaml, type YamlFault, yamlError } from './strict-yaml.ts';

/** The maximum seconds of each class of delegation. */
export type DeadlineTable = Readonly<Record<string, { readonly most: number }>>;

/** Drivers that a plan defines in its own settings. */
const fromPlan = new Set(['command', 'scripted']);
const builtIn = new Set<string>(programNames);

export function parseConfig(text: string, file: string, table: DeadlineTable): Config {
  const checked = z.pipe(z.transform(withoutEmptyKeys), configSchema.check(checkDriver, checkDeadlines(table)));
  const read = readStrictYaml(text, checked);
  if (!read.ok) {
    throw yamlError(
      'CONFIG_INVALID',
      file,
      read.faults.map(ofTheUser),
      'Fix the file; docs/drivers.md, docs/routing.md, docs/workspace.md and docs/tasks.md list the settings.',
    );
  }
  return read.value;
}

/** Settings of one user of one machine: a project that a person has cloned must not decide them. */
const userKeys = new Set(['notify', 'servers', 'workspace.folder']);

function ofTheUser({ line, reason }: YamlFault): YamlFault {
  const [, key = ''] = /^([\w.]+): unknown key$/.exec(reason) ?? [];
  if (!userKeys.has(key)) return { line, reason };
  return { line, reason: `${key}: no project can set it; it belongs in your own config, ~/.config/divisi/config.yaml` };
}

/** Ignores keys without a value: `drivers:`, or a key of `workspace:`, with only comments below. */
function withoutEmptyKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== '');
  return Object.fromEntries(
    present.map(([key, inner]) => [key, key === 'workspace' ? withoutEmptyKeys(inner) : inner]),
  );
}

type Check = z.core.CheckFn<z.infer<typeof configSchema>>;

const checkDriver: Check = ({ value, issues }) => {
  const { driver, drivers, tiers } = value;
  const known = [...Object.keys(drivers), ...programNames];
  const isKnown = (name: string): boolean => builtIn.has(name) || Object.hasOwn(drivers, name);
  const check = (name: string | undefined, path: string[]): void => {
    if (name === undefined || isKnown(name)) return;
    const message = `unknown driver ${name}; expected one of ${known.join(', ')}`;
    issues.push({ code: 'custom', path, message, input: name });
  };
  for (const name of programNames) {
    if (!Object.hasOwn(drivers, name)) continue;
    const message = `${name} is built in: give yours another name, and choose it with \`driver: NAME\``;
    issues.push({ code: 'custom', path: ['drivers', name], message, input: name });
  }
  if (driver === undefined || !fromPlan.has(driver)) check(driver, ['driver']);
  for (const [tier, name] of Object.entries(tiers)) check(name, ['tiers', tier]);
};

function checkDeadlines(table: DeadlineTable): Check {
  return ({ value, issues }) => {
    for (const [agent, kind] of Object.entries(value.classes)) {
      if (Object.hasOwn(table, kind)) continue;
      const message = `unknown class; expected one of ${Object.keys(table).join(', ')}`;
      issues.push({ code: 'custom', path: ['classes', agent], message, input: kind });
    }
    for (const [name, seconds] of Object.entries(value.deadlines)) {
      const message = deadlineFault(Object.hasOwn(table, name) ? table[name]?.most : undefined, seconds, table);
      if (message !== undefined) issues.push({ code: 'custom', path: ['deadlines', name], message, input: seconds });
    }
  };
}

function deadlineFault(most: number | undefined, seconds: number, table: DeadlineTable): string | undefined {
  if (most === undefined) return `unknown class; expected one of ${Object.keys(table).join(', ')}`;
  return seconds > most ? `at most ${most} seconds` : undefined;
}
