/**
 * RunWorkspace: the rooms of one run's agents. Each task gets one from the run's branch when its first delegation starts; it is removed
 * when the task has completed, and kept when it failed.
 */
import { defined } from '../base/defined.ts';
import { cp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { oneLine } from '../base/text.ts';
import { featureFolder } from '../core/features/feature-document.ts';
import { divisiError } from '../base/error.ts';
import { findTask, type RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { CommandRun, RoomFacts, WorkspaceFacts } from '../core/event/verification.ts';
import { commandLine } from '../plan/values/command-words.ts';
import type { Activity } from '../core/attempt/activity.ts';
import { childEnvironment } from '../process/environment.ts';
import type { Marker } from '../process/marker.ts';
import { runCommand } from '../verify/run-command.ts';
import { changesBetween } from '../workspace/git/changes.ts';
import { filesAt } from '../workspace/git/look-up.ts';
import { branchHead } from '../workspace/git/branch-head.ts';
import { ensureRunBranch } from '../workspace/git/room/begin-workspace.ts';
import { isContained } from '../workspace/git/history.ts';
import { countSince } from '../workspace/git/merge/merge-work.ts';
import { type EarlierAttempt, openRoom } from '../workspace/git/room/open-room.ts';
import { listOwnBranches } from '../workspace/git/own-branches.ts';
import { listRooms, removeRefs, removeRoom, setRoomAside } from '../workspace/git/room/remove-room.ts';
import { attemptName, isSetAside, shortRun, taskRoom } from '../workspace/git/room/room-name.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { keepSetUp } from '../workspace/git/room/set-up.ts';
import { isRoomOf } from '../workspace/git/room/room-record.ts';
import { snapshotRoom, treeOfRoom } from '../workspace/git/room/snapshot-room.ts';
import { folderInside, isMissing } from '../workspace/project-path.ts';
import { earlierReport, filesOf, runFolder } from '../delegation/delegation-files.ts';
import type { BranchFiles } from './find-drift.ts';
import { attemptNames, roomRemover } from './remove-rooms.ts';
import { isLiveVerifier } from './verifier-process.ts';

export interface WorkspaceDeps {
  /** Absolute. */
  readonly project: string;
  readonly repository: Repository;
  /** The user's environment; commands get its harmless part and what the config allows. */
  readonly environment: NodeJS.ProcessEnv;
  readonly warn: (error: unknown) => void;
}

export interface OpenedWorkspace {
  /** Absolute: the agent's folder. */
  readonly directory: string;
  readonly room: RoomFacts;
}

export interface RunWorkspace extends BranchFiles {
  readonly facts: WorkspaceFacts;
  readonly repository: Repository;
  /** Head of the run's branch. */
  head(): Promise<string>;
  countSince(from: string, to: string): ReturnType<typeof countSince>;
  /** Creates the run's branch if missing, and removes the folders of completed tasks. */
  prepare(): Promise<void>;
  open(activity: Activity, signal: AbortSignal): Promise<OpenedWorkspace>;
  readonly directoryOf: (room: RoomFacts) => string;
  /** Files that an attempt has added or edited in its room so far, relative to the project. */
  changedFiles(room: RoomFacts): Promise<string[]>;
  /** Runs the configured set-up commands in a new folder. Returns the first that fails; undefined where none does. */
  setUp(directory: string, marker: Marker, name: string, signal: AbortSignal): Promise<CommandRun | undefined>;
  run(command: RunRequest, signal: AbortSignal): Promise<Omit<CommandRun, 'from'>>;
  /** Removes the folders of a completed task in the background. */
  settled(task: TaskState): void;
  /** Waits for those removals. */
  idle(): Promise<void>;
}

export interface RunRequest {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly marker: Marker;
  /** Relative to the project. */
  readonly output: string;
}

/** Never part of the work: linked and copied paths, and Divisi's own files. */
export function excludedPaths({ link, copy }: WorkspaceFacts): string[] {
  return [...link, ...copy, '.divisi/runs', featureFolder];
}

/** Milliseconds at which a delegation was registered; makes commits of the same work identical. */
export function registeredAt(delegation: string): number {
  return Number(delegation.split('_')[1]) * 1000;
}

export function directoryIn({ prefix }: WorkspaceFacts): (room: RoomFacts) => string {
  return ({ folder }) => join(folder, prefix);
}

export function runWorkspace(state: RunState, facts: WorkspaceFacts, deps: WorkspaceDeps): RunWorkspace {
  const { project, repository, warn } = deps;
  const { run } = state.created;
  const environment = childEnvironment(deps.environment, facts.environment, { CI: '1' });
  const directoryOf = directoryIn(facts);
  const remover = roomRemover(repository, run, warn);

  async function runOne(
    { argv, directory, marker, output }: RunRequest,
    signal: AbortSignal,
  ): Promise<Omit<CommandRun, 'from'>> {
    await folderInside(project, dirname(output));
    const ran = await runCommand(
      {
        argv,
        directory,
        environment,
        marker,
        outputFile: join(project, output),
        timeoutSeconds: facts.timeout,
      },
      signal,
    );
    return { ...ran, output };
  }

  const setUp: RunWorkspace['setUp'] = async (directory, marker, name, signal) => {
    for (const [at, argv] of facts.setup.entries()) {
      const output = `${runFolder(run)}/checks/${name}/setup-${at + 1}.txt`;
      const ran = await runOne({ argv, directory, marker, output }, signal);
      if (!ran.ok) return { ...ran, from: 'config' };
    }
    return undefined;
  };

  /** The snapshot of an earlier attempt, without linked and copied paths. */
  const earlier = (room: RoomFacts, delegation: string): EarlierAttempt => {
    return { room, exclude: excludedPaths(facts), identity: facts.identity, at: registeredAt(delegation) };
  };

  /** Commits what an earlier attempt left to its branch. A room with files that git refuses gets another name. */
  async function putAside({ room, ...snapshot }: EarlierAttempt, signal: AbortSignal): Promise<void> {
    const spec = { ...room, ...snapshot, message: 'Work of an earlier attempt' };
    if (!(await isRoomOf(repository, room.folder, room.branch))) return;
    const found = await snapshotRoom(repository, spec, signal);
    if (found?.refused !== undefined) await setRoomAside(repository, room);
  }

  async function open(activity: Activity, signal: AbortSignal): Promise<OpenedWorkspace> {
    const { registered, task, before } = activity;
    const left = before && earlier(before.room, registered.delegation);
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
    if (isWarm) return { directory, room };
    const { failed, commit } = await setUpFor(activity, directory, room, signal);
    // The failing set-up may be what a fixer is asked to fix.
    if (failed !== undefined && activity.role !== 'fix') throw notSetUp(facts, run, failed);
    return { directory, room: { ...room, ...defined({ setUp: commit }) } };
  }

  /**
   * What the earlier attempt left in the run's folder of its room was collected. Its report must not be read as the next one, and
   * its symlinks must not lead the next one out.
   */
  async function removeRunFiles(directory: string): Promise<void> {
    const folder = runFolder(run);
    await rm(join(await folderInside(directory, dirname(folder)), basename(folder)), { recursive: true, force: true });
  }

  /** Commits the changes of set-up commands, which separates them from the agent's work. */
  async function setUpFor(
    { registered, task }: Activity,
    directory: string,
    { folder, base }: RoomFacts,
    signal: AbortSignal,
  ): Promise<{ readonly failed?: CommandRun | undefined; readonly commit?: string }> {
    if (facts.setup.length === 0) return {};
    const { delegation, attempt } = registered;
    const spec = {
      folder,
      base,
      exclude: excludedPaths(facts),
      identity: facts.identity,
      at: registeredAt(delegation),
    };
    const name = attemptName(task.id, attempt);
    const work = (): Promise<CommandRun | undefined> => setUp(directory, { run, delegation }, name, signal);
    const { done: failed, ...kept } = await keepSetUp(repository, spec, work, signal);
    return { failed, ...kept };
  }

  async function changedFiles({ folder, base, setUp: from = base }: RoomFacts): Promise<string[]> {
    const tree = await treeOfRoom(repository, { folder, base, exclude: excludedPaths(facts) });
    const changes = tree === undefined ? [] : await changesBetween(repository, from, tree);
    return changes.flatMap(({ path, change }) => (change === 'deleted' ? [] : [path]));
  }

  return {
    facts,
    repository,
    directoryOf,
    changedFiles,
    head: async () => (await branchHead(repository, facts.branch)) ?? facts.base,
    filesAt: (commit, paths) => filesAt(repository, commit, paths),
    contains: (commit, within) => isContained(repository, commit, within),
    countSince: (from, to) => countSince(repository, { from, to, delegation: state.merge?.delegation }),
    setUp,
    run: runOne,
    open,
    async prepare() {
      await ensureRunBranch(repository, { branch: facts.branch, base: facts.base, head: state.head ?? undefined });
      const kept = keptRooms(state);
      for (const { shortRun: of, name, folder } of await listRooms(repository)) {
        if (of !== shortRun(run) || kept.has(name) || isSetAside(name) || isLiveVerifier(name)) continue;
        await removeRoom(repository, { folder });
      }
      // A crash may come between the end of a task and the removal of its branches.
      const isDone = attemptsOfDone(state);
      const own = (await listOwnBranches(repository)).filter(({ run: of }) => of === run);
      const branches = own.filter(({ name = '' }) => isDone.has(name)).map(({ branch }) => branch);
      if (branches.length > 0) await removeRefs(repository, { branches });
    },
    settled(task) {
      remover.remove(task);
    },
    idle: () => remover.idle(),
  };
}

/**
 * A checkpoint shows at most 300 characters of the message. It says that editing the config has no effect, because
 * people try that first.
 */
function notSetUp({ setupFrom }: WorkspaceFacts, run: string, { argv, end, tail, output = '' }: CommandRun): Error {
  const said = tail === undefined ? '' : `: ${oneLine(tail, 60)}`;
  const chosen = setupFrom === undefined ? '' : ` (chosen because of ${setupFrom}; \`setup: []\` in the config: none)`;
  const kept =
    'the run keeps this command: fix what it needs, or `divisi cancel` and run the plan again (ticked tasks stay done)';
  return divisiError('WORKSPACE_SETUP_FAILED', {
    message: `the set-up command ${oneLine(commandLine(argv), 50)}${chosen} failed (${end})${said}; ${kept}`,
    next: `See ${output}; a run keeps workspace.setup of .divisi/config.yaml as it was when it started. \`divisi cancel ${run}\` ends it.`,
    ids: { run, file: output },
  });
}

function attemptsOfDone(state: RunState): ReadonlySet<string> {
  const all = [...state.tasks.values(), ...state.gateTasks.values()];
  return new Set(all.filter(({ progress }) => progress.status === 'completed').flatMap(attemptNames));
}

/** Rooms of running and failed tasks; every other room is left over from a crash. */
function keptRooms(state: RunState): ReadonlySet<string> {
  const all = [...state.tasks.values(), ...state.gateTasks.values()];
  const kept = all.filter(({ progress: { status } }) => status !== 'completed' && status !== 'skipped');
  return new Set(kept.map(({ planned }) => taskRoom(planned.id)));
}

/** Copies the reports a delegation reads: all of them for reviews and fixes, those of earlier attempts for work. */
async function bringReports(project: string, directory: string, run: string, activity: Activity): Promise<void> {
  const { role, wave, task, registered } = activity;
  const { report } = filesOf(run, wave, task.id, registered.delegation);
  const earlier = Array.from({ length: registered.attempt - 1 }, (_, at) => earlierReport(report, at + 1));
  // The task of a fixer names the output of its gate's commands.
  const checks = role === 'fix' ? [`${runFolder(run)}/checks/check-${task.id.replace(/:fix.*$/, '')}`] : [];
  const paths = role === 'work' ? earlier : [`${runFolder(run)}/reports`, ...checks];
  for (const path of paths) {
    try {
      await cp(join(project, path), join(directory, path), { recursive: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** The task whose folders can be removed after this event. */
export function completedTask(state: RunState, id: string): TaskState | undefined {
  const task = findTask(state, id);
  return task?.progress.status === 'completed' && task.attempts > 0 ? task : undefined;
}
