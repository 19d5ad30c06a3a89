/**
 * The environment of an agent program: what of the user's is allowed by name, what the settings add, and, where it is to have
 * a home of its own, nothing that would lead it back to the user's.
 */
import { childEnvironment } from '../process/environment.ts';

export interface AgentEnvironment {
  /** The environment of the user. */
  readonly own: NodeJS.ProcessEnv;
  /** Names of variables, or beginnings that end in `*`. */
  readonly environment: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute: its own home; absent for the user's, where log-ins live. */
  readonly home?: string;
}

/** Variables by which programs are told where they keep their things, in place of the home. */
const places = /^XDG_|_HOME$|_CONFIG_DIR$|_DATA_DIR$/;

export function agentEnvironment({ own, environment, variables, home }: AgentEnvironment): Record<string, string> {
  if (home === undefined) return childEnvironment(own, environment, variables);
  const lent = Object.fromEntries(Object.entries(own).filter(([name]) => !places.test(name)));
  return childEnvironment(lent, environment, { HOME: home, USERPROFILE: home, ...variables });
}
