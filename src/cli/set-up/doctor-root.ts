/** `divisi doctor`: says what Claude Code refuses to the user root, who most containers run as. */
import type { Config, DriverSettings } from '../../config/config.ts';
import { type Check, ok, problem } from './doctor-check.ts';

/** The mode that Claude Code refuses to root, unless `IS_SANDBOX=1` says that it runs in a container. */
const refusedMode = 'bypassPermissions';
const refusedWords = new Set(['--dangerously-skip-permissions', refusedMode, `--permission-mode=${refusedMode}`]);

const sandbox = 'IS_SANDBOX';

export interface RootFacts {
  /** Undefined where the system has no user ids. */
  readonly uid: number | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly config: Config | undefined;
}

/** No check for another user. */
export function rootCheck({ uid, environment, config }: RootFacts): Check[] {
  if (uid !== 0) return [];
  const name = 'claude as root';
  const drivers = Object.entries(config?.drivers ?? {}).filter(([, settings]) => asksForMode(settings));
  const refused = drivers.filter(([, settings]) => !saysSandbox(settings, environment));
  const isCommand = refused.some(([, { kind }]) => kind === 'command');
  const way = `in a container set ${sandbox}=1${isCommand ? ` and \`environment: [${sandbox}]\` of the driver` : ''}, or run as another user`;
  if (refused.length > 0) {
    const found = `Claude Code refuses the mode ${refusedMode} to root, which ${refused.map(([driver]) => driver).join(', ')} asks for`;
    return [problem(name, found, `Remove the mode or option from the driver; ${way}.`)];
  }
  if (environment[sandbox] === '1') return [ok(name, `${sandbox}=1: Claude Code refuses no mode`)];
  return [ok(name, `Claude Code refuses ${refusedMode} to root; the modes Divisi uses work. To use that mode, ${way}`)];
}

function asksForMode(settings: DriverSettings): boolean {
  switch (settings.kind) {
    case 'acp':
      return settings.profile === 'claude' && settings.mode === refusedMode;
    case 'one-shot':
      return settings.profile === 'claude' && hasRefusedWord(settings.argv);
    case 'command':
      return [settings.argv, settings.review, settings.repair].some(hasRefusedWord);
    case 'scripted':
      return false;
    default:
      return settings satisfies never;
  }
}

function hasRefusedWord(argv: readonly string[] = []): boolean {
  return argv.some((word) => refusedWords.has(word));
}

/** A command sees only the variables it names; the profile of Claude Code has this one. */
function saysSandbox(settings: DriverSettings, environment: NodeJS.ProcessEnv): boolean {
  const isSet = environment[sandbox] === '1';
  if (settings.kind === 'command') return isSet && settings.environment.includes(sandbox);
  return isSet || ('variables' in settings && settings.variables[sandbox] === '1');
}
