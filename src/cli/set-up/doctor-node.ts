/** Checks the version of Node. */
import { type Check, ok, problem } from './doctor-check.ts';

/** As the package says. */
export const oldestNode = '22.18';

const asNumber = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1000 + minor;
};

export const isNewEnough = (version: string): boolean => asNumber(version) >= asNumber(oldestNode);

export function nodeCheck(version: string): Check {
  if (isNewEnough(version)) return ok('node', version);
  return problem('node', version, `Install Node ${oldestNode} or newer.`);
}
