/**
 * Tasks that work side by side in scopes of their own give the same tree as one after another, in whatever order they are
 * merged; and whatever is forgotten in a crash, every delegation has one commit.
 */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginWorkspace, ensureRunBranch } from '../../src/workspace/git/room/begin-workspace.ts';
import { mergeWork } from '../../src/workspace/git/merge/merge-work.ts';
import { openRoom, type OpenedRoom } from '../../src/workspace/git/room/open-room.ts';
import { removeRoom } from '../../src/workspace/git/room/remove-room.ts';
import { findRepository, type Repository } from '../../src/workspace/git/repository.ts';
import { snapshotRoom } from '../../src/workspace/git/room/snapshot-room.ts';
import { count, isLong } from '../properties/runs.ts';
import { at, gitFolders, type GitFolder, identity, treeOf } from './git-project.ts';

const { repository } = gitFolders();
const numRuns = count(6, 200);
const timeout = isLong ? 1_200_000 : 90_000;

/** Three folders of four files; some contents are alike, so that git sees renames where it can. */
const contents = ['', 'one\ntwo\nthree\nfour\n', 'one\ntwo\nthree\nFOUR\n', 'other\n', '\0binary'] as const;
const paths = Array.from({ length: 12 }, (_, at) => `d${at % 3}/f${at}.txt`);
const baseFiles = Object.fromEntries(paths.slice(0, 9).map((path, at) => [path, contents[at % contents.length] ?? '']));

type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly content: string; readonly mode: number }
  | { readonly kind: 'link'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string };

const edit = (path: string): fc.Arbitrary<Edit> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('write' as const),
      path: fc.constant(path),
      content: fc.constantFrom(...contents),
      mode: fc.constantFrom(0o644, 0o755),
    }),
    fc.record({ kind: fc.constant('link' as const), path: fc.constant(path), content: fc.constantFrom('a', '../b') }),
    fc.record({ kind: fc.constant('delete' as const), path: fc.constant(path) }),
  );

/** Who owns each path, out of three tasks and no one; what they do to it; and in which order they are merged. */
const work = fc.record({
  edits: fc.tuple(...paths.map((path) => fc.tuple(fc.nat(3), edit(path)))),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3, maxLength: 3 }),
});

function act(directory: string, change: Edit): void {
  const file = join(directory, change.path);
  rmSync(file, { force: true });
  if (change.kind === 'delete') return;
  mkdirSync(dirname(file), { recursive: true });
  if (change.kind === 'link') symlinkSync(change.content, file);
  else {
    writeFileSync(file, change.content);
    chmodSync(file, change.mode);
  }
}

function afterAll(edits: readonly Edit[]): Record<string, string> {
  const tree = new Map(Object.entries(baseFiles).map(([path, content]) => [path, `100644 ${content}`]));
  for (const change of edits) {
    if (change.kind === 'delete') tree.delete(change.path);
    else if (change.kind === 'link') tree.set(change.path, `120000 ${change.content}`);
    else tree.set(change.path, `100${change.mode.toString(8)} ${change.content}`);
  }
  return Object.fromEntries(tree);
}

interface Prepared {
  readonly user: GitFolder;
  readonly of: Repository;
}

async function prepare(): Promise<Prepared> {
  const user = repository(baseFiles);
  return { user, of: await findRepository(user.folder, user.environment) };
}

let runs = 0;

async function begin(of: Repository): Promise<{ run: string; base: string; branch: string }> {
  runs += 1;
  const run = `run_${runs}`;
  const { facts } = await beginWorkspace(of, { run, at });
  const { base, branch } = facts;
  await ensureRunBranch(of, { branch, base });
  return { run, base, branch };
}

it.concurrent('the order of merges does not matter', { timeout }, async () => {
  const { user, of } = await prepare();
  const property = fc.asyncProperty(work, async ({ edits, order }) => {
    const { run, base, branch } = await begin(of);
    const opened = await Promise.all(
      ['a', 'b', 'c'].map((task) => openRoom(of, { run, task, attempt: 1, branch, identity, link: [], copy: [] })),
    );
    const owned = edits.filter(([owner]) => owner < 3);
    for (const [owner, change] of owned) act(opened[owner]?.directory ?? '', change);
    for (const task of order) {
      const { folder } = opened[task] as OpenedRoom;
      const spec = { folder, base, exclude: [], identity, at, message: 'Work' };
      const { commit = base } = (await snapshotRoom(of, spec)) ?? {};
      const merge = {
        branch,
        knownHead: user.git('rev-parse', branch),
        base,
        commit,
        delegation: `sess_1_${task}`,
        message: 'Work',
        trailers: [],
      };
      expect(await mergeWork(of, { ...merge, identity, at })).toMatchObject({ kind: 'merged', foreign: 0 });
      await removeRoom(of, { folder });
    }
    expect(treeOf(user, of.gitDir, branch)).toEqual(afterAll(owned.map(([, change]) => change)));
  });
  await fc.assert(property, { numRuns });
});

/** What a ledger would have of a task; everything else is forgotten in a crash. */
interface Recorded {
  opened?: OpenedRoom;
  commit?: string;
  merged?: string;
}

it.concurrent('every delegation has one commit, whatever is forgotten', { timeout }, async () => {
  const { user, of } = await prepare();
  const steps = fc.array(fc.record({ task: fc.nat(2), forgotten: fc.boolean() }), { maxLength: 25 });
  const property = fc.asyncProperty(steps, fc.boolean(), async (given, empty) => {
    const { run, base, branch } = await begin(of);
    const ledger: { knownHead: string; tasks: Recorded[] } = { knownHead: base, tasks: [{}, {}, {}] };

    async function step(at_: number, forgotten: boolean): Promise<void> {
      const task = ledger.tasks[at_] as Recorded;
      if (task.opened === undefined) {
        const opened = await openRoom(of, { run, task: `t${at_}`, attempt: 1, branch, identity, link: [], copy: [] });
        if (!empty) writeFileSync(join(opened.directory, `new-${at_}.txt`), String(at_));
        if (!forgotten) task.opened = opened;
      } else if (task.commit === undefined) {
        const { folder, base: from, branch: own } = task.opened;
        const spec = { folder, base: from, branch: own, exclude: [], identity, at, message: 'Work' };
        const { commit = from } = (await snapshotRoom(of, spec)) ?? {};
        if (!forgotten) task.commit = commit;
      } else if (task.merged === undefined) {
        const { commit, opened } = task;
        const facts = {
          branch,
          base: opened.base,
          commit,
          delegation: `sess_1_${at_}`,
          message: `Task ${at_}`,
          trailers: [],
          identity,
          at,
        };
        const end = await mergeWork(of, { ...facts, knownHead: ledger.knownHead });
        if (end.kind !== 'merged') throw new Error(JSON.stringify(end));
        if (forgotten) return;
        task.merged = end.commit;
        ledger.knownHead = user.git('rev-parse', branch);
      }
    }

    for (const { task, forgotten } of given) await step(task, forgotten);
    for (let task = 0; task < 3; task += 1) for (let time = 0; time < 3; time += 1) await step(task, false);

    const trailer = '%(trailers:key=Divisi-Delegation,valueonly,separator=%x20)';
    const said = user.git('log', `--format=%H ${trailer}`, `${base}..${branch}`).split('\n');
    expect(said.toSorted()).toEqual(ledger.tasks.map(({ merged = '' }, at_) => `${merged} sess_1_${at_}`).toSorted());
    for (const { opened } of ledger.tasks) if (opened) await removeRoom(of, { folder: opened.folder });
  });
  await fc.assert(property, { numRuns });
});
