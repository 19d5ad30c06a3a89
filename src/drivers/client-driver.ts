/** Builds the driver of an agent program from its profile and the config. */
import { defined } from '../base/defined.ts';
import { join } from 'node:path';
import {
  type AcpSettings,
  acpSettings,
  type OneShotName,
  type OneShotSettings,
  oneShotNames,
  oneShotSettings,
  type ProgramName,
} from '../config/client-settings.ts';
import { findProgram } from '../process/find-program.ts';
import { acpDriver } from './acp/acp-driver.ts';
import type { AgentEnvironment } from './agent-environment.ts';
import type { Conversation, Driver, Turn } from './driver.ts';
import { oneShotDriver } from './one-shot/one-shot-driver.ts';
import type { FailureRow } from './profiles/failure-row.ts';
import type { Profile } from './profiles/profile.ts';
import { type KnownProfile, profileOf } from './profiles/profiles.ts';
import { stateFolder } from '../workspace/places.ts';
import { installedDriver } from './installed-driver.ts';

export interface ClientSources {
  /** Absolute: the folder with `.divisi`. */
  readonly project: string;
  /** The user's. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Settings of a program that the config does not name: over ACP if its ACP program is installed, else one-shot. */
export async function programSettings(
  name: ProgramName,
  sources: ClientSources,
): Promise<AcpSettings | OneShotSettings> {
  if (isOneShot(name) && !(await speaksAcp(name, sources))) {
    return oneShotSettings.parse({ kind: 'one-shot', profile: name });
  }
  return acpSettings.parse({ kind: 'acp', profile: name });
}

export async function programDriver(name: ProgramName, sources: ClientSources): Promise<Driver> {
  const settings = await programSettings(name, sources);
  return settings.kind === 'acp' ? acpDriverFrom(name, settings, sources) : oneShotDriverFrom(name, settings, sources);
}

const isOneShot = (name: ProgramName): name is OneShotName => oneShotNames.some((one) => one === name);

/** True if neither is installed: the error then names the ACP program. */
async function speaksAcp(name: ProgramName, { project, environment }: ClientSources): Promise<boolean> {
  const { acp, oneShot } = profileOf(name);
  if (oneShot === undefined) return true;
  const [spoken = ''] = acp.argv;
  if ((await findProgram(spoken, environment, project)) !== undefined) return true;
  return (await findProgram(oneShot.program, environment, project)) === undefined;
}

/** Assumes nothing about a program without a profile. */
const unknown: Pick<KnownProfile, 'environment' | 'defaults' | 'tiers' | 'folders' | 'acp' | 'failures'> = {
  environment: [],
  tiers: { fast: {}, standard: {}, deep: {} },
  folders: [],
  acp: {
    argv: [],
    variables: {},
    limits: { turns: 'counted', tokens: 'unknown', cost: 'unknown' },
    usage: 'none',
    resumes: false,
  },
  failures: [],
};

export function acpDriverFrom(name: string, settings: AcpSettings, sources: ClientSources): Driver {
  const profile = settings.profile === undefined ? unknown : profileOf(settings.profile);
  const { mode, usage, resumes } = settings;
  const own = [...rows(settings.quota, 'quota'), ...rows(settings.trouble, 'environment')];
  const shared = {
    ...common(name, profile, settings, sources),
    way: {
      ...profile.acp,
      ...defined({ mode, usage, resumes }),
    },
    client: { name: settings.profile ?? name, folders: profile.folders },
    failures: [...own, ...profile.failures],
    permissions: { ...profile.acp.permissions, ...settings.permissions },
  };
  const argv = settings.argv ?? profile.acp.argv;
  const driver = installedDriver({ ...shared, argv, project: sources.project }, (found) =>
    acpDriver({ ...shared, argv: found }),
  );
  return settings.profile === undefined ? driver : withRemedy(driver, profileOf(settings.profile));
}

function rows(expressions: readonly string[], cause: FailureRow['cause']): FailureRow[] {
  return expressions.map((source) => ({ match: new RegExp(source, 'iu'), cause }));
}

export function oneShotDriverFrom(name: string, settings: OneShotSettings, sources: ClientSources): Driver {
  const profile = profileOf(settings.profile);
  const { oneShot } = profile;
  if (oneShot === undefined) throw new Error(`${profile.name} cannot run one-shot`);
  const { project } = sources;
  const shared = { ...common(name, profile, settings, sources), profile: { ...profile, oneShot }, project };
  const driver = installedDriver({ ...shared, argv: settings.argv ?? [oneShot.program] }, (program) =>
    oneShotDriver({ ...shared, program }),
  );
  return withRemedy(driver, profile);
}

type Common = Pick<AcpSettings, 'environment' | 'variables' | 'home' | 'tiers'>;
type Shared = AgentEnvironment & { readonly name: string; readonly tiers: Profile['tiers'] };

function common(
  name: string,
  profile: Pick<Profile, 'environment' | 'defaults' | 'tiers'>,
  { environment, variables, home, tiers }: Common,
  { project, environment: own }: ClientSources,
): Shared {
  const { fast, standard, deep } = profile.tiers;
  return {
    name,
    own,
    environment: [...profile.environment, ...environment],
    variables: { ...unset(profile.defaults ?? {}, own), ...variables },
    tiers: {
      fast: { ...fast, ...tiers.fast },
      standard: { ...standard, ...tiers.standard },
      deep: { ...deep, ...tiers.deep },
    },
    ...(home === 'own' ? {} : { home: join(stateFolder(project, own), 'homes', name) }),
  };
}

function unset(defaults: Readonly<Record<string, string>>, own: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => own[name] === undefined));
}

/** How a person installs the program and gives it access. */
type Remedy = Pick<Profile, 'title' | 'install' | 'access'>;

/** Adds the remedy to every failure that a person has to fix. */
function withRemedy(driver: Driver, profile: Remedy): Driver {
  return {
    ...driver,
    start: (task, signal, note) => remedyConversation(driver.start(task, signal, note), profile),
  };
}

function remedyConversation(conversation: Conversation, profile: Remedy): Conversation {
  return {
    ...conversation,
    first: conversation.first.then((turn) => remedyTurn(turn, profile)),
    repair: (message) => conversation.repair(message)?.then((turn) => remedyTurn(turn, profile)) ?? null,
  };
}

function remedyTurn(turn: Turn, { title, install, access }: Remedy): Turn {
  if (turn.end !== 'failed') return turn;
  if (turn.cause === 'authentication') return { ...turn, message: `${title}: ${turn.message}. ${access}` };
  // A network, a bill, a sandbox: what to do is in the program's own words.
  if (turn.cause === 'environment') return { ...turn, message: `${title}: ${turn.message}` };
  if (turn.cause !== 'not-started') return turn;
  const how = turn.isMissing === true ? `. To install it: ${install}` : '';
  return { ...turn, message: `${title}: ${turn.message}${how}` };
}
