/** A process of its own that opens and settles rooms at once: `node open-many.ts PROJECT RUN NAME COUNT`. Prints their commits. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeWork } from '../../src/workspace/git/merge/merge-work.ts';
import { openRoom } from '../../src/workspace/git/room/open-room.ts';
import { findRepository } from '../../src/workspace/git/repository.ts';
import { snapshotRoom } from '../../src/workspace/git/room/snapshot-room.ts';
import { runBranch } from '../../src/workspace/git/room/room-name.ts';

const [project = '', run = '', name = '', count = '1'] = process.argv.slice(2);
const identity = { name: 'Ada Example', email: 'ada@example.org' };
const repository = await findRepository(project, process.env);
const branch = runBranch(run);
const base = process.env['TEST_BASE'] ?? '';

async function settle(task: string): Promise<string> {
  const opened = await openRoom(repository, { run, task, attempt: 1, branch, identity, link: [], copy: [] });
  process.stdout.write(`opened ${task}\n`);
  writeFileSync(join(opened.directory, `${task}.txt`), task);
  const work = { folder: opened.folder, base: opened.base, branch: opened.branch, exclude: [], identity, at: 0 };
  const { commit = opened.base } = (await snapshotRoom(repository, { ...work, message: task })) ?? {};
  const merge = {
    branch,
    knownHead: base,
    base: opened.base,
    commit,
    delegation: `sess_${process.pid}_${task}`,
    message: task,
    trailers: [],
  };
  const end = await mergeWork(repository, { ...merge, identity, at: 0 });
  return end.kind === 'merged' ? end.commit : JSON.stringify(end);
}

const tasks = Array.from({ length: Number(count) }, (_, at) => `${name}${at}`);
for (const said of await Promise.all(tasks.map(settle))) process.stdout.write(`${said}\n`);
