/** Finds in the output of a confined command the path that it was not allowed to change, and says how to allow it. */
import { liesWithin } from '../base/paths.ts';
import type { Confinement } from '../process/confine/confinement.ts';

const refused = /EROFS|EACCES|read-only file system|permission denied/i;
/** npm names the path in a line of its own. */
const named = /^npm (?:error|ERR!) path (\/\S{1,1000})$/;
const path = /(?:^|[\s'"`=(:])(\/[^\s'"`):]{1,1000})/g;

/** Undefined if the output names none. */
export function outsideRoom(output: string, { mounts }: Pick<Confinement, 'mounts'>): string | undefined {
  const lines = output.split(/\r*\n/);
  const about = lines.filter((line) => refused.test(line));
  if (about.length === 0) return undefined;
  const npms = lines.flatMap((line) => named.exec(line)?.[1] ?? []);
  const paths = [...about.flatMap((line) => [...line.matchAll(path)].map(([, one = '']) => one)), ...npms];
  const isInside = (one: string): boolean => {
    const as = mounts.findLast((mount) => liesWithin(one, mount.path))?.as;
    return as === 'writable' || as === 'fresh';
  };
  const outside = paths.find((one) => !isInside(one));
  return outside === undefined ? undefined : `${outside} is outside the room: add it to confine.writable`;
}
