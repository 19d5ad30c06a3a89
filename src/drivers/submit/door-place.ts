/**
 * Door place: the folder with the socket through which a client submits its results, and with the bridge that leads there. Made before the
 * client starts, so that a confined one sees it; nobody but this user and programs in the room reach it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Confinement, withMounts } from '../../process/confine/confinement.ts';
import { bridgeSource } from './bridge-source.ts';

export interface DoorPlace {
  /** Absolute, as we see it. */
  readonly folder: string;
  /** As the client sees it. */
  readonly seenAs: string;
  /** The client's, with the folder in it. */
  readonly confinement?: Confinement;
  remove(): void;
}

/** Of each confined program's own, and empty otherwise. */
const inRoom = '/run/divisi';

export function makeDoorPlace(delegation: string, confinement: Confinement | undefined): DoorPlace {
  const folder =
    confinement === undefined
      ? mkdtempSync(join(tmpdir(), 'divisi-door-'))
      : join(confinement.private, 'doors', delegation);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (confinement !== undefined) {
    remove();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  writeFileSync(join(folder, 'bridge.mjs'), bridgeSource, { mode: 0o600 });
  if (confinement === undefined) return { folder, seenAs: folder, remove };
  const given = withMounts(confinement, [{ as: 'readable', path: inRoom, from: folder }]);
  return { folder, seenAs: inRoom, confinement: given, remove };
}
