/** `divisi agents`: lists agent programs, configured drivers and agents. */
import { keptText } from '../../agents/agent-notes.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Config, DriverSettings } from '../../config/config.ts';
import { limitNames } from '../../base/delegation-limits.ts';
import type { LimitWays } from '../../drivers/profiles/limit-ways.ts';
import { oneLine, redactedLine } from '../../base/text.ts';
import { loadProject } from '../../project/project-folder.ts';
import { columns } from '../../views/text/columns.ts';
import { type AgentProgram, agentPrograms } from './agent-programs.ts';
import { type Answer, exitCodes, warn } from '../output.ts';

export async function agents(project: string): Promise<Answer> {
  const { config, agents: roles } = await loadProject(project, warn);
  const programs = await agentPrograms({ project, environment: process.env });
  const all = [...roles.byName.values()];
  const json = {
    programs: programs.map(programFacts),
    drivers: Object.entries(config.drivers).map(([name, settings]) => driverFacts(name, settings, config)),
    agents: all.map(agentFacts),
    skipped: [
      ...Array.from(roles.skipped.values(), ({ ids, message }) => ({ file: ids['file'] ?? '', message })),
      ...Array.from(roles.kept, ([name, file]) => ({ file, message: keptText(name, file) })),
    ],
  };
  for (const [name, file] of roles.kept) warn(new Error(keptText(name, file)));
  const parts = [
    ['programs', columns(programs.map(programRow))],
    [
      'drivers of .divisi/config.yaml',
      json.drivers.length === 0
        ? ['none; every program above is a driver by its own name']
        : columns(json.drivers.map((one) => [one.isDefault ? `${one.name} (default)` : one.name, one.kind, one.about])),
    ],
    ['agents', columns(all.map(agentRow))],
  ] as const;
  const text = parts.map(([title, lines]) => [title, ...lines.map((line) => `  ${line}`)].join('\n'));
  return { code: exitCodes.completed, json, text: text.join('\n\n') };
}

function programFacts({ profile, found, how }: AgentProgram): object {
  const { name, title, install } = profile;
  const nothing = { driven: null, returns: null, resumes: null, usage: null, limits: null };
  return { name, title, installed: how !== null, ...(how ?? nothing), found, install };
}

const returning = {
  tool: 'returns through a tool',
  schema: 'returns by schema',
  message: 'returns in its last message',
};
const counting = {
  turn: 'usage of the whole turn',
  'last-call': 'usage of its last call only',
  unknown: 'usage unknown',
};

const watching = {
  client: 'by the client',
  counted: 'counted',
  'after-turn': 'after each turn',
  unknown: 'unknown',
} as const;

function programRow({ profile, found, how }: AgentProgram): string[] {
  const { name, title, install } = profile;
  if (how === null) return [name, title, found.length === 0 ? 'not found' : 'not complete', install];
  const versions = found.map(({ program, version, fault }) => `${program} ${version ?? `(${fault ?? ''})`}`);
  const way = how.driven === 'acp' ? 'over ACP' : 'one-shot';
  const able = [way, returning[how.returns], how.resumes ? 'resumes' : 'does not resume', counting[how.usage]];
  able.push(limitsText(how.limits));
  return [name, title, versions.join(', '), able.join(', ')];
}

/** `limits: turns counted, tokens unknown`, with the limits that are watched alike together. */
function limitsText(limits: LimitWays): string {
  const ways = [...new Set(limitNames.map((name) => limits[name]))];
  const parts = ways.map((way) => {
    const names = limitNames.filter((name) => limits[name] === way);
    return `${names.join(' and ')} ${watching[way]}`;
  });
  return `limits: ${parts.join(', ')}`;
}

interface DriverFacts {
  readonly name: string;
  readonly kind: DriverSettings['kind'];
  readonly isDefault: boolean;
  readonly about: string;
}

function driverFacts(name: string, settings: DriverSettings, config: Config): DriverFacts {
  return { name, kind: settings.kind, isDefault: config.driver === name, about: aboutDriver(settings) };
}

/** A command line may hold a key. */
function aboutDriver(settings: DriverSettings): string {
  switch (settings.kind) {
    case 'scripted':
      return oneLine(settings.scenario, 100);
    case 'command':
      return words(settings.argv);
    case 'acp':
    case 'one-shot': {
      const { profile, argv } = settings;
      return [profile ?? '', argv === undefined ? '' : words(argv)].filter((part) => part !== '').join(': ');
    }
    default:
      return settings satisfies never;
  }
}

const words = (argv: readonly string[]): string => redactedLine(argv.join(' '), 100);

function agentFacts({ name, contract, description, tools, tier, driver, file, replaces }: Agent): object {
  return {
    name,
    description: description ?? null,
    contract,
    tools: tools ?? null,
    tier: tier ?? null,
    driver: driver ?? null,
    from: file ?? 'built-in',
    replaces: replaces ?? null,
  };
}

function agentRow({ name, contract, tier, driver, file, replaces }: Agent): string[] {
  const where = file ?? 'built-in';
  const instead = replaces === undefined ? '' : `, replaces ${replaces === 'built-in' ? 'the built-in one' : replaces}`;
  return [name, contract, tier ?? '-', driver ?? '-', oneLine(where + instead, 200)];
}
