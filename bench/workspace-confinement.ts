/** Measures what confinement adds: to a room, and to the start of a program. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { confinedArgv } from '../src/process/confine/confined-program.ts';
import type { Confinement } from '../src/process/confine/confinement.ts';
import { processStat } from '../src/process/process-stat.ts';
import { findRepository } from '../src/workspace/git/repository.ts';
import { confineRoom } from '../src/workspace/confine/confine-room.ts';
import { atMost, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { median } from './measure.ts';
import { gitEnvironment } from './workspace-repository.ts';

const rounds = sized(15, 2);
const starts = 40;

/** On the repository that `measureRoom` made. */
export async function measureConfinement(print: Print, folder: string): Promise<Figures> {
  const environment = gitEnvironment(join(folder, 'home'));
  const repository = await findRepository(join(folder, 'rooms'), environment);
  const room = join(repository.rooms, 'bench/1.1');
  mkdirSync(room, { recursive: true });
  const confinement = await confineRoom(repository, room);
  if (confinement === undefined) {
    print('', 'programs cannot be confined here: nothing was measured');
    return {};
  }
  const pairs = Array.from({ length: rounds }, () => [confined(confinement, room), bare(room)] as const);
  const added = median(pairs.map(([one, other]) => one - other));
  print(
    '',
    `a confined program takes ${rounded(added)} ms of processor time more to start (median of ${rounds} rounds of ${starts})`,
  );
  return {
    'processor time that confinement adds to the start of a program': atMost(10, added, 'ms'),
    'mounts of a confined program': recorded(confinement.mounts.length, 'mounts'),
  };
}

const variables = { PATH: '/usr/bin:/bin' };

function confined(confinement: Confinement, directory: string): number {
  return perStart(() => {
    const [program = '', ...args] = confinedArgv(confinement, { argv: ['true'], directory, variables });
    return spawnSync(program, args, { cwd: directory, env: variables, stdio: 'ignore' }).status;
  });
}

function bare(directory: string): number {
  return perStart(() => spawnSync('true', [], { cwd: directory, env: variables, stdio: 'ignore' }).status);
}

/** Milliseconds of this process and its children, which the system counts in hundredths of a second. */
function perStart(start: () => number | null): number {
  const before = used();
  for (let at = 0; at < starts; at += 1) if (start() !== 0) throw new Error('it did not start');
  return (used() - before) / starts;
}

const used = (): number => (processStat(process.pid)?.ticks ?? 0) * 10;
