/**
 * Builds the environment of an agent program: the user's variables that are allowed by name, and those of the settings. A
 * program with its own home gets no variable that leads to the user's. A variable that widens its permissions passes only if
 * the settings name it in full.
 */
import { stateRoot } from '../workspace/places.ts';
import { childEnvironment } from '../process/environment.ts';
import { type JsonObject, layOver, objectIn } from '../base/json-value.ts';

export interface AgentEnvironment {
  /** The environment of the user. */
  readonly own: NodeJS.ProcessEnv;
  /** Names, or prefixes that end in `*`; a prefix never matches a variable that widens permissions. */
  readonly environment: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute: its own home; absent for the user's, which has the log-ins. */
  readonly home?: string;
}

/** Folders of the user's programs, log-ins included. */
const userFolders = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

/** Variables that move an agent program's own folder out of the home. */
const folderVariables =
  /^XDG_|_CONFIG_DIR$|_DATA_DIR$|^CODEX_HOME$|^COPILOT_(?:\w+_)?HOME$|^GEMINI_CLI_HOME$|^OPENCODE_(?:CONFIG|DB)$|^GOOSE_PATH_ROOT$/;

/**
 * Variables that decide what a program may do without asking, or that hold settings which override ours. Matched by words, to
 * cover those a vendor adds later.
 */
const loosening =
  /ALLOW_ALL|APPROV|BYPASS|DANGEROUS|PERMISSION|TRUST|UNSAFE|YOLO|AUTO_SHARE|MANAGED_CONFIG|_SYSTEM_(?:SETTINGS|DEFAULTS)_PATH$|^CODEX_CONFIG$|^GOOSE_MODE$/;

export function agentEnvironment({ own, environment, variables, home }: AgentEnvironment): Record<string, string> {
  const named = new Set(environment);
  const visible = Object.fromEntries(
    Object.entries(own).filter(
      ([name]) => (named.has(name) || !loosening.test(name)) && (home === undefined || !folderVariables.test(name)),
    ),
  );
  const allowed = [...userFolders, ...environment];
  // A `divisi` that the agent starts belongs to the same run, also where the agent has a home of its own.
  const state = { DIVISI_STATE: stateRoot(own) };
  if (home === undefined) return childEnvironment(visible, allowed, { ...state, ...variables });
  return childEnvironment(visible, allowed, {
    HOME: home,
    ...(process.platform === 'win32' ? { USERPROFILE: home } : {}),
    ...state,
    ...variables,
  });
}

/** Merges JSON settings into variables; the user's values stay where ours set none. */
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
