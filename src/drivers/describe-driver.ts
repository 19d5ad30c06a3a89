/** Describes how a driver would run an agent: program, protocol, model. Starts nothing. */
import { defined } from '../base/defined.ts';
import { type AcpSettings, type OneShotSettings, programNames } from '../config/client-settings.ts';
import type { Strength } from './profiles/strength.ts';
import type { Config } from '../config/config.ts';
import type { Tier } from '../plan/plan.ts';
import { findProgram } from '../process/find-program.ts';
import { type ClientSources, programSettings } from './client-driver.ts';
import type { Profile } from './profiles/profile.ts';
import { profileOf } from './profiles/profiles.ts';

export interface DriverDescription {
  readonly name: string;
  readonly kind: 'acp' | 'one-shot' | 'command' | 'scripted';
  /** Absent for a program that Divisi does not know. */
  readonly profile?: Profile;
  /** The name that is looked up, and the path found; absent for a driver without a program. */
  readonly program?: string;
  readonly path?: string;
  /** Model and effort of the tier; absent for the program's default. */
  readonly strength: Strength;
}

/** Undefined for an unknown driver. */
export async function describeDriver(
  name: string,
  tier: Tier,
  { drivers }: Pick<Config, 'drivers'>,
  sources: ClientSources,
): Promise<DriverDescription | undefined> {
  const known = programNames.find((one) => one === name);
  const own = Object.hasOwn(drivers, name) ? drivers[name] : undefined;
  const settings = own ?? (known === undefined ? undefined : await programSettings(known, sources));
  switch (settings?.kind) {
    case undefined:
      return undefined;
    case 'scripted':
      return { name, kind: settings.kind, strength: {} };
    case 'command':
      return { name, kind: settings.kind, strength: {}, ...(await found(settings.argv[0], sources)) };
    case 'acp':
    case 'one-shot':
      return { name, kind: settings.kind, ...(await client(settings, tier, sources)) };
    default:
      return settings satisfies never;
  }
}

async function client(
  settings: AcpSettings | OneShotSettings,
  tier: Tier,
  sources: ClientSources,
): Promise<Omit<DriverDescription, 'name' | 'kind'>> {
  const profile = settings.profile === undefined ? undefined : profileOf(settings.profile);
  const usual = settings.kind === 'acp' ? profile?.acp.argv[0] : profile?.oneShot?.program;
  return {
    ...defined({ profile }),
    ...(await found(settings.argv?.[0] ?? usual, {
      ...sources,
      environment: { ...sources.environment, ...settings.variables },
    })),
    strength: { ...profile?.tiers[tier], ...settings.tiers[tier] },
  };
}

async function found(
  program: string | undefined,
  { environment, project }: ClientSources,
): Promise<Pick<DriverDescription, 'program' | 'path'>> {
  if (program === undefined) return {};
  const path = await findProgram(program, environment, project);
  return path === undefined ? { program } : { program, path };
}
