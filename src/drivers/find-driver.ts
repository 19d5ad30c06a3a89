/** Finds the driver of a run: the plan's own command or scenario, or a driver of the config by name. */
import { defined } from '../base/defined.ts';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { programNames } from '../config/client-settings.ts';
import type { Config, DriverSettings } from '../config/config.ts';
import { divisiError, type DivisiError } from '../base/error.ts';
import { type PlanSettings, type Tier, tiers } from '../plan/plan.ts';
import { acpDriverFrom, oneShotDriverFrom, programDriver } from './client-driver.ts';
import { commandDriver } from './command/command-driver.ts';
import type { Driver, DriverTask } from './driver.ts';
import { parseScenario } from './scripted/parse-scenario.ts';
import type { Scenario } from './scripted/scenario.ts';
import { scriptedDriver } from './scripted/scripted-driver.ts';

export interface DriverSources {
  readonly config: Pick<Config, 'driver' | 'drivers' | 'tiers'>;
  /** Agent → its own driver. */
  readonly agentDrivers: ReadonlyMap<string, string>;
  readonly plan: {
    readonly [Setting in 'command' | 'repair' | 'returns' | 'scenario']?: PlanSettings[Setting] | undefined;
  } & { readonly review?: readonly string[] | undefined };
  /** Absolute: the folder with `.divisi`; a scenario's path is relative to it. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * `name` is the driver a person or the plan asked for. A `Command:` in the plan is the most specific and wins, unless `scripted`
 * was asked for. Without a name: the plan's scenario, then the config's default.
 */
export async function driverFor(name: string | undefined, sources: DriverSources): Promise<Driver> {
  const { config, plan } = sources;
  if (plan.command !== undefined && name !== 'scripted') {
    const [argv, review, repair] = [[...plan.command], plan.review?.slice(), plan.repair?.slice()];
    const { returns } = plan;
    return driverFrom('command', { kind: 'command', argv, review, repair, returns, environment: [] }, sources);
  }
  if (plan.scenario !== undefined && (name ?? 'scripted') === 'scripted') {
    return driverFrom('scripted', { kind: 'scripted', scenario: plan.scenario }, sources);
  }
  return routed(name ?? config.driver, sources);
}

/** An agent's own driver wins, then its tier's. A driver that is named for the run and is not the config's covers all tiers. */
async function routed(name: string | undefined, sources: DriverSources): Promise<Driver> {
  const { config, agentDrivers } = sources;
  const made = new Map<string, Promise<Driver>>();
  const find = async (wanted: string): Promise<Driver> => {
    const driver = made.get(wanted) ?? driverNamed(wanted, sources);
    made.set(wanted, driver);
    return driver;
  };
  const mapped = async <Key>(names: Iterable<readonly [Key, string]>): Promise<Map<Key, Driver>> =>
    new Map(await Promise.all(Array.from(names, async ([key, one]) => [key, await find(one)] as const)));
  const tiered = tiers.flatMap((tier) => {
    const own = name === config.driver ? config.tiers[tier] : undefined;
    return own === undefined ? [] : [[tier, own] as const];
  });
  const byTier = await mapped(tiered);
  const byAgent = await mapped(agentDrivers);
  // Not needed if every tier has its own.
  const standard = name === undefined ? byTier.get('standard') : await find(name);
  if (standard === undefined) throw unknownDriver(undefined, Object.keys(config.drivers));
  return routedDriver({ standard, byTier, byAgent });
}

async function driverNamed(name: string, sources: DriverSources): Promise<Driver> {
  const { drivers } = sources.config;
  const settings = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  if (settings !== undefined) return driverFrom(name, settings, sources);
  const program = programNames.find((one) => one === name);
  if (program === undefined) throw unknownDriver(name, Object.keys(drivers));
  return programDriver(program, sources);
}

async function driverFrom(
  name: string,
  settings: DriverSettings,
  { project, environment }: DriverSources,
): Promise<Driver> {
  switch (settings.kind) {
    case 'command': {
      const { argv, review, repair, returns, environment: allowed } = settings;
      const more = defined({ review, repair, returns });
      return commandDriver({ name, argv, ...more, environment: allowed, own: environment, project });
    }
    case 'scripted':
      return scriptedDriver({ name, scenario: await readScenario(project, settings.scenario) });
    case 'acp':
      return acpDriverFrom(name, settings, { project, environment });
    case 'one-shot':
      return oneShotDriverFrom(name, settings, { project, environment });
    default:
      return settings satisfies never;
  }
}

const largestScenario = 64 * 1024 * 1024;

async function readScenario(project: string, path: string): Promise<Scenario> {
  const file = resolve(project, path);
  return parseScenario(await scenarioText(file, path), path);
}

async function scenarioText(file: string, path: string): Promise<string> {
  const unreadable = (why: string, cause?: unknown): DivisiError =>
    divisiError('SCENARIO_INVALID', {
      message: `${path} cannot be read: ${why}`,
      next: 'Name a scenario file by its path from the project.',
      ids: { file: path },
      cause,
    });
  let text: string;
  try {
    if ((await stat(file)).size > largestScenario) throw unreadable('it is larger than 64 MiB');
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw unreadable(cause.message, cause);
    throw cause;
  }
  return text;
}

const howTo: Readonly<Record<string, string>> = {
  command: 'Give the plan a `Command:` setting, or describe a driver in .divisi/config.yaml under `drivers:`.',
  scripted: 'Give the plan a `Scenario:` setting, or describe a driver in .divisi/config.yaml under `drivers:`.',
};

function unknownDriver(name: string | undefined, known: readonly string[]): DivisiError {
  return divisiError('DRIVER_UNKNOWN', {
    message: name === undefined ? 'no driver given' : `unknown driver: ${name}`,
    expected: `one of ${[...known, ...programNames].join(', ')}`,
    ...defined({ got: name }),
    next:
      (name === undefined || !Object.hasOwn(howTo, name) ? undefined : howTo[name]) ??
      '`divisi agents` shows which agent programs are installed. Name one with `--driver`, or as `driver:` in .divisi/config.yaml, which `divisi init` writes.',
    ids: name === undefined ? {} : { driver: name },
  });
}

/**
 * Several drivers as one: a task runs with its agent's driver, else its tier's, else the run's. An escalated task may thus move
 * to another vendor.
 */
export interface Routes {
  /** The run's driver. */
  readonly standard: Driver;
  readonly byTier: ReadonlyMap<Tier, Driver>;
  /** Agent, without a plugin's prefix → driver. */
  readonly byAgent: ReadonlyMap<string, Driver>;
}

export function routedDriver(routes: Routes): Driver {
  const { standard, byTier, byAgent } = routes;
  if (byTier.size + byAgent.size === 0) return standard;
  const driverOf = ({ agent, tier }: Pick<DriverTask, 'agent' | 'tier'>): Driver =>
    byAgent.get(agent.slice(agent.lastIndexOf(':') + 1)) ?? byTier.get(tier) ?? standard;
  return {
    name: standard.name,
    returnWay: (task) => driverOf(task).returnWay(task),
    start: (task, signal, note) => driverOf(task).start(task, signal, note),
    recover: (task) => driverOf(task).recover(task),
  };
}
