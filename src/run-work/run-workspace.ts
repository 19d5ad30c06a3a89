/**
 * RunWorkspace: the rooms of one run's agents. Each task gets one from the run's branch when its first delegation starts; it is removed
 * when the task has completed, and kept when it failed.
 */
import { defined } from '../base/defined.ts';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { featureFolder } from '../core/features/feature-document.ts';
import { updatesSoFar, workspaceOf, workspaceOfRoom } from '../core/state/current-workspace.ts';
import type { RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { RoomFacts, WorkspaceFacts } from '../core/event/verification.ts';
import type { Activity } from '../core/attempt/activity.ts';
import type { Confinement } from '../process/confine/confinement.ts';
import { confineRoom } from '../workspace/confine/confine-room.ts';
import { changesBetween } from '../workspace/git/changes.ts';
import { changesInSubmodules } from '../workspace/git/room/room-submodules.ts';
import { filesAt } from '../workspace/git/look-up.ts';
import { branchHead } from '../workspace/git/commit-of.ts';
import { ensureRunBranch } from '../workspace/git/room/begin-workspace.ts';
import { isContained } from '../workspace/git/history.ts';
import { countSince } from '../workspace/git/merge/merge-work.ts';
import { type EarlierAttempt, openRoom } from '../workspace/git/room/open-room.ts';
import { listOwnBranches } from '../workspace/git/own-branches.ts';
import { listRooms, removeRoom, setRoomAside } from '../workspace/git/room/remove-room.ts';
import { attemptName, isSetAside, shortRun } from '../workspace/git/room/room-name.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { isRoomOf } from '../workspace/git/room/room-record.ts';
import { snapshotRoom, treeOfRoom } from '../workspace/git/room/snapshot-room.ts';
import type { KnownLink } from '../drivers/leads-inside.ts';
import { canWrite, refuseTampered, watchRepository } from './watch-repository.ts';
import { folderInside } from '../workspace/project-path.ts';
import { filesOf, runFolder } from '../delegation/delegation-files.ts';
import type { BranchFiles } from './find-drift.ts';
import { bringReports } from './bring-reports.ts';
import { isFromRefusedSeed } from '../workspace/git/seed/use-seed.ts';
import { furnishRoom } from './set-up/furnish-room.ts';
import { keptRooms, tasksToTidy } from './kept-rooms.ts';
import { needsSetUp } from './set-up/needs-set-up.ts';
import { cannotSetUp, notSetUp } from './set-up/not-set-up.ts';
import { acceptanceRunner, type RunAcceptance, type RunRequest } from './run-acceptance.ts';
import { runInRoom } from './run-in-room.ts';
import { roomRemover } from './remove-rooms.ts';
import { type RoomSetUp, roomSetUp } from './set-up/room-set-up.ts';
import { type LookAtDisk, roomSpace } from './room-space.ts';
import { isLiveVerifier } from './verifier-process.ts';

export interface WorkspaceDeps {
  /** Absolute. */
  readonly project: string;
  readonly repository: Repository;
  readonly environment: NodeJS.ProcessEnv;
  readonly warn: (error: unknown) => void;
}

export interface OpenedWorkspace {
  /** Absolute: the agent's folder. */
  readonly directory: string;
  readonly room: RoomFacts;
  /** Links in it that lead into the user's checkout. */
  readonly linked: readonly KnownLink[];
  /** For the agent's environment: the room's slug and ports. */
  readonly variables: Readonly<Record<string, string>>;
  /** For the agent's programs; absent where they are not confined. */
  readonly confinement?: Confinement;
}

export interface RunWorkspace extends BranchFiles {
  /** What the user's git obeys and what has changed since this process took up the run: nothing may run git on it then. */
  readonly tampered: () => string[];
  /** As they are now: an update of the run replaces them. Read once by work that must not see a change. */
  readonly facts: WorkspaceFacts;
  /** Those after so many updates of the run. */
  readonly factsAfter: (updates: number) => WorkspaceFacts;
  /** Those that a room was made with. */
  readonly factsOf: (room: RoomFacts) => WorkspaceFacts;
  readonly repository: Repository;
  readonly warn: WorkspaceDeps['warn'];
  /** Head of the run's branch. */
  head(): Promise<string>;
  countSince(from: string, to: string): ReturnType<typeof countSince>;
  /** Creates the run's branch if missing, and removes the folders of completed tasks. */
  prepare(): Promise<void>;
  /** `tools` are the only ones that the agent has; absent without a limit. */
  open(activity: Activity, signal: AbortSignal, tools?: readonly string[]): Promise<OpenedWorkspace>;
  readonly directoryOf: (room: RoomFacts) => string;
  /** Files that an attempt has added or edited in its room so far, relative to the project. */
  changedFiles(room: RoomFacts): Promise<string[]>;
  /** Whether it has changed anything there, deleted files and files of submodules included. */
  hasChanges(room: RoomFacts): Promise<boolean>;
  /** Sets up rooms without a task. */
  readonly setUp: RoomSetUp['setUp'];
  /** The seed that fills rooms of a commit, if any. */
  seedAt(commit: string, facts: WorkspaceFacts): ReturnType<RoomSetUp['seedAt']>;
  /** Throws `WORKSPACE_SETUP_FAILED` where rooms cannot be set up. */
  tryOutSetUp(signal: AbortSignal): Promise<void>;
  /** Runs an acceptance command once. */
  readonly check: RunAcceptance;
  /** Removes the folders of a completed task in the background. */
  settled(task: TaskState): void;
  /** Waits for those removals. */
  idle(): Promise<void>;
  readonly disk: LookAtDisk;
}

/** Never part of the work: linked and copied paths, and Divisi's own files. */
export function excludedPaths({ link, copy }: WorkspaceFacts): string[] {
  return [...link, ...copy, '.divisi/runs', featureFolder];
}

/** Rooms with these settings are made in the same way. */
function isMadeAlike({ setup, link, copy }: WorkspaceFacts, other: WorkspaceFacts): boolean {
  return isDeepStrictEqual([setup, link, copy], [other.setup, other.link, other.copy]);
}

/** Milliseconds at which a delegation was registered; makes commits of the same work identical. */
export function registeredAt(delegation: string): number {
  return Number(delegation.split('_')[1]) * 1000;
}

export function directoryIn({ prefix }: WorkspaceFacts): (room: RoomFacts) => string {
  return ({ folder }) => join(folder, prefix);
}

export function runWorkspace(state: RunState, deps: WorkspaceDeps): RunWorkspace {
  const { project, repository, environment, warn } = deps;
  const { run } = state.created;
  const directoryOf = directoryIn(current());

  function current(): WorkspaceFacts {
    const facts = workspaceOf(state);
    if (facts === undefined) throw new Error(`${run} has no workspace`);
    return facts;
  }

  const factsOf = (room: RoomFacts): WorkspaceFacts => workspaceOfRoom(state, room) ?? current();

  const changedSince = watchRepository(repository);
  // Where no agent can write, only the user can have changed it.
  let isReachable = false;
  const tampered = (): string[] => (isReachable ? changedSince() : []);
  const remover = roomRemover(repository, run, warn);
  const space = roomSpace(repository.rooms, current);

  const furnish = (directory: string, facts: WorkspaceFacts): Promise<Record<string, string>> =>
    furnishRoom(repository, { run, directory, facts });

  const runOne = (request: RunRequest, signal: AbortSignal, facts = current()): ReturnType<typeof runInRoom> =>
    runInRoom({ project, repository, environment, run }, request, facts, signal);

  const rooms = roomSetUp({ repository, run, runOne, furnish, warn });

  /** The snapshot of an earlier attempt, without linked and copied paths. */
  const earlier = async (room: RoomFacts, delegation: string): Promise<EarlierAttempt> => {
    const { identity, size } = current();
    const isCurrent = isMadeAlike(factsOf(room), current()) && !(await isFromRefusedSeed(repository, room.folder));
    return { room, isCurrent, exclude: excludedPaths(factsOf(room)), size, identity, at: registeredAt(delegation) };
  };

  /** Commits what an earlier attempt left to its branch. A room with files that git refuses gets another name. */
  async function putAside({ room, ...snapshot }: EarlierAttempt, signal: AbortSignal): Promise<void> {
    const spec = { ...room, ...snapshot, message: 'Work of an earlier attempt' };
    if (!(await isRoomOf(repository, room.folder, room.branch))) return;
    const found = await snapshotRoom(repository, spec, signal);
    if (found?.refused !== undefined) await setRoomAside(repository, room);
  }

  const open: RunWorkspace['open'] = async (activity, signal, tools) => {
    const { registered, task, before } = activity;
    refuseTampered(tampered());
    const facts = current();
    const updates = updatesSoFar(state);
    const left = before && (await earlier(before.room, registered.delegation));
    if (left !== undefined && before?.continuesWork === false) await putAside(left, signal);
    await remover.gone(task.id);
    const { directory, isWarm, ...room } = await openRoom(
      repository,
      {
        run,
        task: task.id,
        attempt: registered.attempt,
        branch: facts.branch,
        link: facts.link,
        copy: facts.copy,
        identity: facts.identity,
        ...(left === undefined || before?.continuesWork !== true ? {} : { carry: left }),
      },
      signal,
    );
    const files = filesOf(run, activity.wave, task.id, registered.delegation);
    if (isWarm) await removeRunFiles(directory);
    for (const path of [files.report, files.worklog]) await folderInside(directory, dirname(path));
    await bringReports(project, directory, run, activity);
    const variables = await furnish(directory, facts);
    const confinement = await confineRoom(repository, room.folder);
    isReachable ||= canWrite(confinement, repository.gitDir);
    const linked = facts.link.map((path) => ({ path, target: join(project, path) }));
    const given = { directory, linked, variables, ...defined({ confinement }) };
    if (isWarm || !needsSetUp(activity.role, tools)) return { ...given, room: { ...room, ...updates } };
    const { done: failed, commit } = await setUpFor(activity, directory, room, facts, signal);
    space.made(room.folder);
    // The failing set-up may be what a fixer is asked to fix.
    if (failed !== undefined && activity.role !== 'fix') throw notSetUp(facts, run, failed);
    return { ...given, room: { ...room, ...updates, ...defined({ setUp: commit }) } };
  };

  /**
   * What the earlier attempt left in the run's folder of its room was collected. Its report must not be read as the next one, and
   * its symlinks must not lead the next one out.
   */
  async function removeRunFiles(directory: string): Promise<void> {
    const folder = runFolder(run);
    await rm(join(await folderInside(directory, dirname(folder)), basename(folder)), { recursive: true, force: true });
  }

  async function setUpFor(
    { registered, task }: Activity,
    directory: string,
    { folder, base, carried }: RoomFacts,
    facts: WorkspaceFacts,
    signal: AbortSignal,
  ): ReturnType<RoomSetUp['setUpTask']> {
    const { delegation, attempt } = registered;
    const spec = {
      folder,
      base,
      exclude: excludedPaths(facts),
      identity: facts.identity,
      at: registeredAt(delegation),
    };
    const name = attemptName(task.id, attempt);
    const place = { folder, directory, tree: base, facts, marker: { run, delegation }, name };
    return rooms.setUpTask(place, spec, carried !== undefined, signal);
  }

  async function changesIn(room: RoomFacts): ReturnType<typeof changesBetween> {
    const { folder, base, setUp: from = base } = room;
    if (tampered().length > 0) return [];
    const tree = await treeOfRoom(repository, { folder, base, exclude: excludedPaths(factsOf(room)) });
    return tree === undefined ? [] : changesBetween(repository, from, tree);
  }

  return {
    get facts() {
      return current();
    },
    factsAfter: (updates) => state.workspaces[updates] ?? current(),
    factsOf,
    repository,
    tampered,
    warn,
    directoryOf,
    async changedFiles(room) {
      return (await changesIn(room)).flatMap(({ path, change }) => (change === 'deleted' ? [] : [path]));
    },
    async hasChanges(room) {
      return (await changesIn(room)).length > 0 || (await changesInSubmodules(repository, room.folder)).length > 0;
    },
    async head() {
      const { branch, base } = current();
      return (await branchHead(repository, branch)) ?? base;
    },
    filesAt: (commit, paths) => filesAt(repository, commit, paths),
    contains: (commit, within) => isContained(repository, commit, within),
    countSince: (from, to) => countSince(repository, { from, to, delegation: state.merge?.delegation }),
    setUp: (place, signal) => rooms.setUp(place, signal),
    seedAt: (commit, facts) => rooms.seedAt(facts, commit),
    async tryOutSetUp(signal) {
      const facts = current();
      const failed = await rooms.tryOut(facts, signal);
      if (failed !== undefined) throw cannotSetUp(facts, run, failed);
    },
    check: acceptanceRunner({ project, repository, facts: current, run: runOne }),
    open,
    async prepare() {
      const { branch, base } = current();
      await ensureRunBranch(repository, { branch, base, head: state.head ?? undefined });
      const kept = keptRooms(state);
      for (const { shortRun: of, name, folder } of await listRooms(repository)) {
        if (of !== shortRun(run) || kept.has(name) || isSetAside(name) || isLiveVerifier(name)) continue;
        await removeRoom(repository, { folder, warn });
      }
      // A crash may come between the end of a task and the removal of its branches.
      const own = (await listOwnBranches(repository)).filter(({ run: of }) => of === run);
      for (const task of tasksToTidy(state, new Set(own.map(({ name = '' }) => name)))) remover.remove(task);
      await remover.idle();
    },
    settled(task) {
      remover.remove(task);
    },
    idle: () => remover.idle(),
    disk: space.look,
  };
}
