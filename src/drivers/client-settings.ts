/** What a driver of an agent program is made from: its profile with what the config changes, and whose environment it lends. */
import { childEnvironment } from '../process/environment.ts';
import type { Profile } from './profiles/profile.ts';

export interface ClientSettings {
  /** Of the driver. */
  readonly name: string;
  readonly profile: Profile;
  /** The program, and the words that come before all others. */
  readonly argv: readonly string[];
  /** Names of variables, or beginnings that end in `*`, on top of the profile's. */
  readonly environment: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** The environment of the user. */
  readonly own: NodeJS.ProcessEnv;
  /** Absolute: where the program keeps its log-in and its conversations; absent for the user's own home. */
  readonly home?: string;
}

/** `more` is the program's own part; what the config sets counts before it. */
export function clientEnvironment(
  { profile, environment, variables, own, home }: ClientSettings,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  const place = home === undefined ? {} : { HOME: home };
  return childEnvironment(own, [...profile.environment, ...environment], { ...more, ...place, ...variables });
}
