/** A process of its own that sets up a room and makes a seed of it: `node make-seed-child.ts PROJECT RUN TASK`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBranch } from '../../src/workspace/git/room/room-name.ts';
import { openRoom } from '../../src/workspace/git/room/open-room.ts';
import { findRepository } from '../../src/workspace/git/repository.ts';
import { beforeSetUp, makeSeed } from '../../src/workspace/git/seed/make-seed.ts';
import { seedKeys } from '../../src/workspace/git/seed/seed-key.ts';

const [project = '', run = '', task = ''] = process.argv.slice(2);
const identity = { name: 'Ada Example', email: 'ada@example.org' };
const repository = await findRepository(project, process.env);
const spec = { run, task, attempt: 1, branch: runBranch(run), identity, link: [], copy: [] };
const { folder, directory, base } = await openRoom(repository, spec);
const commands = [['npm', 'ci']];
const keys = await seedKeys(repository, { setup: commands, link: [], copy: [], environment: [] }, base);
const room = await beforeSetUp(repository, folder);
mkdirSync(join(directory, 'node_modules/b'), { recursive: true });
for (const name of ['1', '2']) writeFileSync(join(directory, 'node_modules/b', name), name);
await makeSeed(repository, { room, keys, commands, setUp: 1, how: 'copy', keepsSources: true });
