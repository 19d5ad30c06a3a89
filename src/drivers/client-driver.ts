/** A driver for an agent program: its profile with what the config changes. */
import { join } from 'node:path';
import type { AcpSettings, OneShotSettings, ProgramName } from '../config/client-settings.ts';
import { findProgram } from '../process/find-program.ts';
import { acpDriver } from './acp/acp-driver.ts';
import type { ClientSettings } from './client-settings.ts';
import type { Driver } from './driver.ts';
import { oneShotDriver } from './one-shot/one-shot-driver.ts';
import type { FailureRow } from './profiles/failure-row.ts';
import type { AcpWay, Profile } from './profiles/profile.ts';
import { profileOf } from './profiles/profiles.ts';

export interface ClientSources {
  /** Absolute: the folder with `.tutti`. */
  readonly project: string;
  /** Of the user. */
  readonly environment: NodeJS.ProcessEnv;
}

/** A program without a word in the config: over ACP where what speaks it is installed, else by its command line. */
export async function programDriver(name: ProgramName, sources: ClientSources): Promise<Driver> {
  const common = { environment: [], variables: {}, home: 'own', tiers: {} } as const;
  if (await speaksAcp(name, sources)) {
    const acp = { kind: 'acp', profile: name, permissions: {}, quota: [], trouble: [] } as const;
    return acpDriverFrom(name, { ...common, ...acp }, sources);
  }
  return oneShotDriverFrom(name, { ...common, kind: 'one-shot', profile: name }, sources);
}

/** Where neither is installed, the program is told to be missing under the name it speaks ACP by. */
async function speaksAcp(name: ProgramName, { project, environment }: ClientSources): Promise<boolean> {
  const { acp, oneShot } = profileOf(name);
  if (oneShot === undefined) return true;
  const [spoken = ''] = acp.argv;
  if ((await findProgram(spoken, environment, project)) !== undefined) return true;
  return (await findProgram(oneShot.program, environment, project)) === undefined;
}

/** What nobody has measured about a program is not counted on. */
const unknownWay: AcpWay = { argv: [], variables: {}, usage: 'none', resumes: false };
const unknown: Omit<Profile, 'name' | 'title'> = {
  install: 'install it and put it on the PATH',
  environment: [],
  tiers: { fast: {}, standard: {}, deep: {} },
  failures: [],
};

export function acpDriverFrom(name: string, settings: AcpSettings, sources: ClientSources): Driver {
  const profile = settings.profile === undefined ? { ...unknown, name, title: name } : profileOf(settings.profile);
  const way = ('acp' in profile ? profile.acp : undefined) ?? unknownWay;
  const { mode, usage, resumes } = settings;
  const own = [...rows(settings.quota, 'quota'), ...rows(settings.trouble, 'environment')];
  return acpDriver({
    ...clientSettings(name, { ...profile, failures: [...own, ...profile.failures] }, settings, sources),
    argv: settings.argv ?? way.argv,
    way: {
      ...way,
      ...(mode === undefined ? {} : { mode }),
      ...(usage === undefined ? {} : { usage }),
      ...(resumes === undefined ? {} : { resumes }),
    },
    permissions: settings.permissions,
  });
}
