/** Starting means: the driver and the limits that a run's delegations start with, read from the config again with each update. */
import { agentDrivers } from '../agents/registry.ts';
import { DivisiError } from '../base/error.ts';
import type { RunState } from '../core/state/state.ts';
import type { Driver } from '../drivers/driver.ts';
import { driverFor } from '../drivers/find-driver.ts';
import { loadConfig, type ProjectSettings } from '../project/project-folder.ts';

interface Place {
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
}

interface FirstMeans {
  readonly driver: Driver;
  readonly settled: ProjectSettings;
  readonly options: Place & {
    readonly warn: (error: unknown) => void;
    readonly through?: (driver: Driver) => Driver;
  };
}

export async function runDriver(
  settings: RunState['created']['settings'],
  { config, agents }: ProjectSettings,
  { project, environment }: Place,
): Promise<Driver> {
  const name = settings.driver === '' ? undefined : settings.driver;
  return driverFor(name, { config, plan: settings, agentDrivers: agentDrivers(agents), project, environment });
}

/** A delegation at work keeps what it has. */
export interface Means {
  readonly driver: Driver;
  readonly limits: ProjectSettings['config']['limits'];
  readonly readAgain: () => Promise<void>;
}

export function startingMeans(
  { created: { settings } }: RunState,
  { driver: first, settled, options }: FirstMeans,
): Means {
  const { project, warn, through = (driver: Driver) => driver } = options;
  let { config } = settled;
  let driver = through(first);
  return {
    get driver() {
      return driver;
    },
    get limits() {
      return config.limits;
    },
    readAgain: async () => {
      try {
        const newer = await loadConfig(project);
        driver = through(await runDriver(settings, { ...settled, config: newer }, options));
        config = newer;
      } catch (error) {
        if (!(error instanceof DivisiError)) throw error;
        warn(error);
      }
    },
  };
}
