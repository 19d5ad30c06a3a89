/** PassedVariable: a variable that agents need and that a host must be told to pass to `divisi mcp`. Names only; a value is never read here. */
import type { Config } from '../../config/config.ts';
import { profiles } from '../../drivers/profiles/profiles.ts';
import { childEnvironment } from '../../process/environment.ts';

export interface PassedVariable {
  readonly name: string;
  /** The variable of the host that it is taken from; usually the same. */
  readonly from: string;
}

/** Every host passes these on. */
const passedByAll = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TMPDIR|TERM|GIT_LFS_SKIP_SMUDGE)$/;

/** Where Divisi keeps its state and rooms: a server without them would not see the runs of a terminal. */
const ownPlaces = ['DIVISI_STATE', 'DIVISI_ROOMS', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

/** The variables that are set here and that an agent program, a configured driver or Divisi itself reads; sorted. */
export function variablesNeeded(environment: NodeJS.ProcessEnv, config: Config | undefined): string[] {
  const drivers = Object.values(config?.drivers ?? {}).flatMap((settings) =>
    'environment' in settings ? (settings.environment ?? []) : [],
  );
  const allowed = [...profiles.flatMap((profile) => profile.environment), ...drivers, ...ownPlaces];
  return Object.entries(childEnvironment(environment, allowed, {}))
    .filter(([name, value]) => value !== '' && /^[A-Za-z_]\w*$/.test(name) && !passedByAll.test(name))
    .map(([name]) => name)
    .toSorted();
}
