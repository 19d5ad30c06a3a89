/**
 * The environment of an agent program: what of the user's is allowed by name, what the settings add, and, where it is to have
 * a home of its own, nothing that would lead it back to the user's.
 */
import { childEnvironment } from '../process/environment.ts';
import { type JsonObject, layOver, objectIn } from './json-value.ts';

export interface AgentEnvironment {
  /** The environment of the user. */
  readonly own: NodeJS.ProcessEnv;
  /** Names of variables, or beginnings that end in `*`. */
  readonly environment: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute: its own home; absent for the user's, where log-ins live. */
  readonly home?: string;
}

/** Variables by which agent programs are told where they keep their things, in place of the home. */
const places = /^XDG_|_CONFIG_DIR$|_DATA_DIR$|^(?:CODEX|COPILOT|GEMINI_CLI)_HOME$|^OPENCODE_CONFIG$|^GOOSE_PATH_ROOT$/;

export function agentEnvironment({ own, environment, variables, home }: AgentEnvironment): Record<string, string> {
  if (home === undefined) return childEnvironment(own, environment, variables);
  const lent = Object.fromEntries(Object.entries(own).filter(([name]) => !places.test(name)));
  return childEnvironment(lent, environment, {
    HOME: home,
    ...(process.platform === 'win32' ? { USERPROFILE: home } : {}),
    ...variables,
  });
}

/** Settings as JSON in variables, laid over what stands in them already: the user's own are kept where ours say nothing. */
export function withSettings(
  environment: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, JsonObject>>,
): Record<string, string> {
  const laid = Object.entries(settings).map(([name, ours]) => [
    name,
    JSON.stringify(layOver(objectIn(environment[name]), ours)),
  ]);
  return { ...environment, ...(Object.fromEntries(laid) as Record<string, string>) };
}
