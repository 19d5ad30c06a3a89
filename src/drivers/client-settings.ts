/** What a driver of an agent program is made from: its profile with what the config changes, and whose environment it lends. */
import { childEnvironment } from '../process/environment.ts';
import { type JsonObject, objectOf } from './json-value.ts';
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

/** What a program is told through its environment. */
export interface ToldVariables {
  readonly variables?: Readonly<Record<string, string>>;
  /** Laid over the JSON that a variable holds already. */
  readonly settings?: Readonly<Record<string, JsonObject>>;
}

/** What the config sets counts before what the profile does. */
export function clientEnvironment(
  { profile, environment, variables, own, home }: ClientSettings,
  told: ToldVariables,
): Record<string, string> {
  const place = home === undefined ? {} : { HOME: home };
  const set = { ...told.variables, ...place, ...variables };
  const given = childEnvironment(own, [...profile.environment, ...environment], set);
  for (const [name, settings] of Object.entries(told.settings ?? {})) {
    given[name] = JSON.stringify(layOver(settingsIn(given[name]), settings));
  }
  return given;
}

/** What is no JSON is not understood by the program either. */
function settingsIn(text: string | undefined): JsonObject {
  try {
    return text === undefined ? {} : objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function layOver(below: JsonObject, above: JsonObject): JsonObject {
  const entries = Object.entries(above).map(([key, value]) => {
    const isInner = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [key, isInner ? layOver(objectOf(below[key]), objectOf(value)) : value];
  });
  return { ...below, ...(Object.fromEntries(entries) as JsonObject) };
}
