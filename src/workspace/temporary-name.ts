/**
 * Temporary names: names the file that is written before it is renamed, after its target and the process that writes it. A process that
 * was killed cannot remove its own: the next one that writes to the same folder does.
 */
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isAliveHere, ownIdentity } from '../process/identity.ts';
import { randomName } from './random-name.ts';

/** The machine, the process, its start, and a random part. */
const form = /^\..{1,60}\.([0-9a-f]{4})-(\d+)-(\d*)-[0-9a-f]{12}\.tmp$/s;

/** A file name has at most 255 bytes. */
const startOf = (file: string): string => `.${basename(file).slice(0, 60)}.`;

export function temporaryFor(file: string): string {
  const { pid, started } = ownIdentity('');
  return join(dirname(file), `${startOf(file)}${machine()}-${pid}-${started}-${randomName()}.tmp`);
}

/** Whether a path is a temporary file of this target. */
export function isTemporaryOf(path: string, file: string): boolean {
  const name = basename(path);
  return form.test(name) && name.startsWith(startOf(file)) && dirname(path) === dirname(file);
}

const swept = new Set<string>();

/** Once for each folder: whatever this process leaves, it removes itself. */
export async function sweepTemporaries(folder: string): Promise<void> {
  if (swept.has(folder)) return;
  swept.add(folder);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (isLeft(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
}

/** Of a process that is dead. That of another machine, which shares the folder, may be alive. */
function isLeft(name: string): boolean {
  const [, host, pid = '', started = ''] = form.exec(name) ?? [];
  return host === machine() && !isAliveHere({ ...ownIdentity(''), pid: Number(pid), started });
}

/** Four hex digits of this machine's name. */
function machine(): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(hostname())) hash = Math.imul(hash ^ byte, 0x01000193);
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(4, '0');
}
