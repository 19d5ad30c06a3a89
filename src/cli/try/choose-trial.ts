/** Chooses driver and role of a trial: AGENT is a driver or the name of an agent. */
import { defined } from '../../base/defined.ts';
import { type Agents, checkAgents, findAgent } from '../../agents/registry.ts';
import { programNames } from '../../config/client-settings.ts';
import type { Config } from '../../config/config.ts';
import { divisiError, type DivisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import { type Tier, tiers } from '../../plan/plan.ts';
import { defaultAgent } from '../../agents/registry.ts';

/** As given on the command line. */
export interface TrialOptions {
  readonly json?: boolean;
  readonly driver?: string;
  readonly role?: string;
  readonly tier?: string;
  readonly timeout?: string;
  readonly keep?: boolean;
}

export interface TrialChoice {
  /** The role. */
  readonly agent: string;
  readonly tier: Tier;
  /** Name of the driver; undefined for the default. */
  readonly driver: string | undefined;
  readonly seconds?: number;
}

export function chooseTrial(name: string, options: TrialOptions, config: Config, agents: Agents): TrialChoice {
  const isDriver = Object.hasOwn(config.drivers, name) || programNames.some((one) => one === name);
  const isAgent = agents.byName.has(name) || agents.skipped.has(name);
  if (!isDriver && !isAgent) throw unknownName(name, config, agents);
  if (isDriver && options.driver !== undefined) throw contradiction(`${name} is a driver itself`, '--driver');
  if (!isDriver && options.role !== undefined) throw contradiction(`${name} is an agent itself`, '--role');
  const agent = isDriver ? (options.role ?? defaultAgent) : name;
  checkAgents(agents, [agent]);
  if (!agents.byName.has(agent)) throw unknownName(agent, config, agents);
  const role = findAgent(agents, agent);
  const tier = tierFrom(options.tier) ?? role.tier ?? 'standard';
  const usual = role.driver ?? config.tiers[tier] ?? config.driver;
  const seconds = secondsFrom(options.timeout);
  return {
    agent,
    tier,
    driver: isDriver ? name : (options.driver ?? usual),
    ...defined({ seconds }),
  };
}

function unknownName(name: string, { drivers }: Config, { byName }: Agents): DivisiError {
  const known = [...new Set([...Object.keys(drivers), ...programNames, ...byName.keys()])];
  return divisiError('USAGE', {
    message: `unknown driver or agent: ${oneLine(name, 80)}`,
    expected: `one of ${known.join(', ')}`,
    got: oneLine(name, 80),
    next: '`divisi agents` shows the programs, the drivers of the config and the agents.',
  });
}

function contradiction(why: string, option: string): DivisiError {
  return divisiError('USAGE', {
    message: `${option}: ${why}`,
    next: 'With a driver, --role NAME chooses the agent; with an agent, --driver NAME chooses the driver.',
  });
}

function tierFrom(text: string | undefined): Tier | undefined {
  const tier = tiers.find((one) => one === text);
  if (tier !== undefined || text === undefined) return tier;
  throw divisiError('USAGE', {
    message: `--tier ${oneLine(text, 80)} is not a tier`,
    expected: tiers.join(', '),
    got: oneLine(text, 80),
    next: "Use one of them, or leave it out: then the agent's own tier applies, else standard.",
  });
}

/** The limit of the class is checked at delegation. */
function secondsFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw divisiError('USAGE', {
    message: `--timeout ${oneLine(text, 80)} is not a number of seconds`,
    expected: 'whole seconds',
    got: oneLine(text, 80),
    next: 'Give a number of seconds, or leave it out.',
  });
}
