/** Finds the agent programs on this machine: how each is driven and what it can do. */
import type { DriverDescription } from '../../drivers/describe-driver.ts';
import type { ReturnWay } from '../../contracts/return-way.ts';
import type { LimitWays } from '../../drivers/profiles/limit-ways.ts';
import type { Profile } from '../../drivers/profiles/profile.ts';
import { profiles } from '../../drivers/profiles/profiles.ts';
import { childEnvironment } from '../../process/environment.ts';
import { findProgram } from '../../process/find-program.ts';
import { programVersion, type ProgramVersion } from '../../process/program-version.ts';

/** A program of a profile that was found; one of `version` and `fault` is null. */
export interface FoundProgram {
  readonly program: string;
  readonly path: string;
  readonly version: string | null;
  /** Why its version is unknown. */
  readonly fault: string | null;
}

/** Capabilities of the program under its driver. */
interface Abilities {
  readonly driven: 'acp' | 'one-shot';
  readonly returns: Exclude<ReturnWay, 'exit-code' | 'tool-report'>;
  /** A conversation can be resumed later. */
  readonly resumes: boolean;
  /** Scope of its token counts. */
  readonly usage: 'turn' | 'last-call' | 'unknown';
  /** How the limits of a delegation are watched. */
  readonly limits: LimitWays;
}

export interface AgentProgram {
  readonly profile: Profile;
  readonly found: readonly FoundProgram[];
  /** Null if not installed. */
  readonly how: Abilities | null;
}

export interface SearchPlace {
  /** Absolute. */
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** In parallel: each may take seconds. */
export async function agentPrograms(around: SearchPlace): Promise<AgentProgram[]> {
  return Promise.all(profiles.map((profile) => lookAt(profile, around)));
}

/** Starts no program. */
export async function firstInstalled({ project, environment }: SearchPlace): Promise<Profile | undefined> {
  for (const profile of profiles) {
    const places = await Promise.all(programsOf(profile).map((name) => findProgram(name, environment, project)));
    if (places.some((place) => place !== undefined)) return profile;
  }
  return undefined;
}

/** Its own program first, then a separate ACP adapter. */
function programsOf({ acp, oneShot }: Profile): string[] {
  return [...new Set([oneShot?.program, acp?.argv[0]].filter((name) => name !== undefined))];
}

async function lookAt(profile: Profile, around: SearchPlace): Promise<AgentProgram> {
  const looked = await Promise.all(programsOf(profile).map((program) => lookFor(program, profile, around)));
  const found = looked.filter((one) => one !== undefined);
  return { profile, found, how: howDriven(profile, new Set(found.map(({ program }) => program))) };
}

async function lookFor(program: string, profile: Profile, around: SearchPlace): Promise<FoundProgram | undefined> {
  const path = await findProgram(program, around.environment, around.project);
  if (path === undefined) return undefined;
  const said = await ask(path, profile, around);
  return 'version' in said
    ? { program, path, version: said.version, fault: null }
    : { program, path, version: null, fault: said.fault };
}

/** Without keys: it only prints its version. */
async function ask(
  path: string,
  { acp }: Pick<Profile, 'acp'>,
  { project, environment }: SearchPlace,
): Promise<ProgramVersion> {
  const allowed = childEnvironment(environment, [], acp?.variables ?? {});
  return programVersion({ program: path, directory: project, environment: allowed });
}

/** Describes the program of a driver. Unknown programs are not asked for a version: they may do anything instead. */
export async function versionOf(
  { profile, path }: Pick<DriverDescription, 'profile' | 'path'>,
  around: SearchPlace,
): Promise<string | undefined> {
  if (profile === undefined || path === undefined) return undefined;
  const said = await ask(path, profile, around);
  return 'version' in said ? said.version : undefined;
}

function howDriven({ acp, oneShot }: Profile, found: ReadonlySet<string>): Abilities | null {
  if (acp !== undefined && found.has(acp.argv[0] ?? '')) {
    const usage = {
      turn: 'turn',
      session: 'turn',
      'quota-meta': 'turn',
      'last-call': 'last-call',
      none: 'unknown',
    } as const;
    return { driven: 'acp', returns: 'tool', resumes: acp.resumes, usage: usage[acp.usage], limits: acp.limits };
  }
  if (oneShot === undefined || !found.has(oneShot.program)) return null;
  return { driven: 'one-shot', returns: oneShot.returnWay, resumes: true, usage: 'turn', limits: oneShot.limits };
}
