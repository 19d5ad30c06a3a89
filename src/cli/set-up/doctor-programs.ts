/** `divisi doctor`: checks agent programs, the programs of configured drivers, and by name whether keys are set. */
import { programNames } from '../../config/client-settings.ts';
import type { Config, DriverSettings } from '../../config/config.ts';
import type { Agents } from '../../agents/registry.ts';
import type { Profile } from '../../drivers/profiles/profile.ts';
import { profiles } from '../../drivers/profiles/profiles.ts';
import { childEnvironment } from '../../process/environment.ts';
import { findProgram } from '../../process/find-program.ts';
import { type AgentProgram, agentPrograms, type SearchPlace } from './agent-programs.ts';
import { type Check, ok, problem, warning } from './doctor-check.ts';
import { rootCheck } from './doctor-root.ts';

export async function programChecks(
  around: SearchPlace,
  config: Config | undefined,
  agents: Agents | undefined,
): Promise<readonly Check[]> {
  const programs = await agentPrograms(around);
  const installed = programs.filter(({ how }) => how !== null);
  const drivers = config === undefined ? [] : await driverChecks(config, around);
  return [
    anyProgram(installed, config),
    ...installed.flatMap(({ found }) => found.flatMap(versionCheck)),
    ...installed.map(({ profile }) => keyCheck(profile, around.environment)),
    ...(installed.some(({ profile }) => profile.name === 'claude')
      ? rootCheck({ uid: process.getuid?.(), environment: around.environment, config })
      : []),
    ...drivers,
    ...(config === undefined ? [] : [...defaultDriver(config, installed), ...tierDrivers(config, installed)]),
    ...(config === undefined || agents === undefined ? [] : agentDrivers(config, agents, installed)),
  ];
}

function anyProgram(installed: readonly AgentProgram[], config: Config | undefined): Check {
  const next = 'Install one; `divisi agents` says how. Or give the plan a `Command:`.';
  if (installed.length > 0) return ok('programs', installed.map(({ profile }) => profile.title).join(', '));
  const hasDrivers = Object.keys(config?.drivers ?? {}).length > 0;
  return hasDrivers
    ? warning('programs', 'no known program is on the PATH; the config has its own drivers', next)
    : problem('programs', 'no known program is on the PATH', next);
}

function versionCheck({ program, path, fault }: AgentProgram['found'][number]): Check[] {
  return fault === null ? [] : [warning(program, `${path}: ${fault}`, 'Run it yourself; reinstall it if it fails.')];
}

const isKey = (name: string): boolean => /KEY|TOKEN|SECRET|AUTH|CREDENTIAL/.test(name);

/** Reports names, never values. A login of the program itself cannot be seen from here. */
function keyCheck({ name, title, environment: allowed }: Profile, environment: NodeJS.ProcessEnv): Check {
  const without = new Set(Object.keys(childEnvironment(environment, [], {})));
  const given = Object.entries(childEnvironment(environment, allowed, {}))
    .filter(([variable, value]) => value !== '' && !without.has(variable))
    .map(([variable]) => variable)
    .toSorted();
  const keys = given.filter(isKey);
  if (keys.length > 0) return ok(`${name} key`, `${keys.join(', ')} ${keys.length === 1 ? 'is' : 'are'} set`);
  const names = allowed.filter((one) => one.endsWith('*') || isKey(one));
  const found = `no key is set (${names.join(', ')})`;
  return warning(`${name} key`, found, `${title} works only if you are logged in to it; otherwise set one.`);
}

async function driverChecks({ drivers }: Config, { project, environment }: SearchPlace): Promise<Check[]> {
  const checks = Object.entries(drivers).map(async ([name, settings]) => {
    const program = programOf(settings);
    if (program === undefined || (await findProgram(program, environment, project)) !== undefined) return [];
    return [
      problem(
        `driver ${name}`,
        `its program ${program} was not found`,
        'Correct its argv in .divisi/config.yaml, or install it.',
      ),
    ];
  });
  return (await Promise.all(checks)).flat();
}

/** The command line of the driver: its own, or that of its profile. */
function programOf(settings: DriverSettings): string | undefined {
  if (settings.kind === 'scripted') return undefined;
  if (settings.kind === 'command' || settings.argv !== undefined) return settings.argv?.[0];
  const profile = profiles.find(({ name }) => name === settings.profile);
  return settings.kind === 'acp' ? profile?.acp?.argv[0] : profile?.oneShot?.program;
}

/** True for a known program that is not installed. A driver of that name in the config comes first. */
function isMissing(name: string, { drivers }: Config, installed: readonly AgentProgram[]): boolean {
  if (Object.hasOwn(drivers, name) || !programNames.some((known) => known === name)) return false;
  return !installed.some(({ profile }) => profile.name === name);
}

function defaultDriver(config: Config, installed: readonly AgentProgram[]): Check[] {
  const { driver } = config;
  if (driver === undefined) {
    const next = 'Set `driver:` in .divisi/config.yaml, or name a driver in every plan; `divisi init` writes the file.';
    return [warning('driver', 'no default driver is set', next)];
  }
  return isMissing(driver, config, installed) ? [missingProgram('driver', driver)] : [ok('driver', driver)];
}

function tierDrivers(config: Config, installed: readonly AgentProgram[]): Check[] {
  return Object.entries(config.tiers).flatMap(([tier, driver]) =>
    driver !== undefined && isMissing(driver, config, installed) ? [missingProgram(`tier ${tier}`, driver)] : [],
  );
}

const missingProgram = (name: string, driver: string): Check =>
  problem(
    name,
    `driver ${driver} needs a program that is not installed`,
    'Install it (`divisi agents`), or name another driver.',
  );

/** Agents that ask for an unknown driver. */
function agentDrivers(config: Config, agents: Agents, installed: readonly AgentProgram[]): Check[] {
  return [...agents.byName.values()].flatMap(({ name, driver, file = '' }) => {
    if (driver === undefined) return [];
    const known = [...Object.keys(config.drivers), ...programNames];
    if (isMissing(driver, config, installed)) return [missingProgram(`agent ${name}`, driver)];
    if (known.includes(driver)) return [];
    return [problem(`agent ${name}`, `${file}: unknown driver: ${driver}`, `Name one of ${known.join(', ')}.`)];
  });
}
