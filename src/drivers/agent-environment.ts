/**
 * The environment of an agent program: what of the user's is allowed by name, what the settings add, and, where it is to have
 * a home of its own, nothing that would lead it back to the user's. What would let it do more than it is started with reaches
 * it only where somebody has named it in full.
 */
import { childEnvironment } from '../process/environment.ts';
import { type JsonObject, layOver, objectIn } from '../base/json-value.ts';

export interface AgentEnvironment {
  /** The environment of the user. */
  readonly own: NodeJS.ProcessEnv;
  /** Names of variables, or beginnings that end in `*`: these do not reach what would loosen its rights. */
  readonly environment: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute: its own home; absent for the user's, where log-ins live. */
  readonly home?: string;
}

/** How the network is reached from here. */
const network = [
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

/** Where the user's programs keep their things, log-ins among them. */
const userFolders = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

/** Variables by which agent programs are told where they keep their things, in place of the home. */
const places =
  /^XDG_|_CONFIG_DIR$|_DATA_DIR$|^CODEX_HOME$|^COPILOT_(?:\w+_)?HOME$|^GEMINI_CLI_HOME$|^OPENCODE_(?:CONFIG|DB)$|^GOOSE_PATH_ROOT$/;

/**
 * Variables that decide what a program may do without being asked, or that hold settings which count before ours. A vendor
 * may have further ones tomorrow: they are known by their words.
 */
const loosening =
  /ALLOW_ALL|APPROV|BYPASS|DANGEROUS|PERMISSION|TRUST|UNSAFE|YOLO|AUTO_SHARE|MANAGED_CONFIG|_SYSTEM_(?:SETTINGS|DEFAULTS)_PATH$|^CODEX_CONFIG$|^GOOSE_MODE$/;

export function agentEnvironment({ own, environment, variables, home }: AgentEnvironment): Record<string, string> {
  const named = new Set(environment);
  const lent = Object.fromEntries(
    Object.entries(own).filter(
      ([name]) => (named.has(name) || !loosening.test(name)) && (home === undefined || !places.test(name)),
    ),
  );
  const allowed = [...network, ...userFolders, ...environment];
  if (home === undefined) return childEnvironment(lent, allowed, variables);
  return childEnvironment(lent, allowed, {
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
