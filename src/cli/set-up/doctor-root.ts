/** `divisi doctor`: says what Claude Code refuses to the user root, who most containers run as. */
import type { Config } from '../../config/config.ts';
import { type Check, ok, problem } from './doctor-check.ts';

/** The mode that Claude Code refuses to root, unless `IS_SANDBOX=1` says that it runs in a container. */
const refusedMode = 'bypassPermissions';

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
  if (environment['IS_SANDBOX'] === '1') return [ok(name, 'IS_SANDBOX=1: Claude Code refuses no mode')];
  const way = `in a container set IS_SANDBOX=1, or run as another user`;
  const asking = Object.entries(config?.drivers ?? {}).flatMap(([driver, settings]) =>
    settings.kind === 'acp' && settings.profile === 'claude' && settings.mode === refusedMode ? [driver] : [],
  );
  if (asking.length > 0) {
    const found = `Claude Code refuses the mode ${refusedMode} to root, which ${asking.join(', ')} asks for`;
    return [problem(name, found, `Remove \`mode:\` of the driver; ${way}.`)];
  }
  return [ok(name, `Claude Code refuses ${refusedMode} to root; the modes Divisi uses work. To use that mode, ${way}`)];
}
