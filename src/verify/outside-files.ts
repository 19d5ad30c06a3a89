/**
 * Tells which files of the user's checkout a command in a room has loaded: those that its processes had open or mapped, and those
 * that its output names. Paths that the config links into rooms do not count.
 */
import { lstatSync } from 'node:fs';
import { liesWithin } from '../base/paths.ts';
import type { WorkspaceFacts } from '../core/event/verification.ts';

export interface CheckoutPlace {
  /** Absolute: the top of the user's checkout. */
  readonly top: string;
  readonly facts: Pick<WorkspaceFacts, 'prefix' | 'link' | 'copy'>;
}

/** Whether an absolute path is a project file of the checkout. */
export function checkoutFile({ top, facts }: CheckoutPlace): (path: string) => boolean {
  const { prefix, link, copy } = facts;
  const spared = ['.git', ...[...link, ...copy, '.divisi'].map((path) => `${prefix}${path}`)];
  return (path) => {
    if (!path.startsWith(`${top}/`)) return false;
    const relative = path.slice(top.length + 1);
    return relative !== '' && !spared.some((one) => liesWithin(relative, one)) && isFile(path);
  };
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** Names that an output mentions are many; each costs a look at the disk. */
const mostNames = 200;

/** Files that a stack trace or a message names. */
export function filesNamedIn(output: string, place: CheckoutPlace): string[] {
  const isWanted = checkoutFile(place);
  const start = `${place.top}/`;
  const names = new Set<string>();
  for (let at = output.indexOf(start); at !== -1 && names.size < mostNames; at = output.indexOf(start, at + 1)) {
    const [name = ''] = /^[^\s:'"`()<>,;]+/.exec(output.slice(at, at + 1000)) ?? [];
    names.add(name);
  }
  return [...names].filter(isWanted);
}
