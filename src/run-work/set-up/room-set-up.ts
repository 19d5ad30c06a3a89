/**
 * Room set-up: prepares new rooms of a run, from a seed where one fits, else with the set-up commands. The first successful set-up leaves a
 * seed for the rooms that follow.
 */
import type { CommandRun, WorkspaceFacts } from '../../core/event/verification.ts';
import { runFolder } from '../../delegation/delegation-files.ts';
import type { Marker } from '../../process/marker.ts';
import { openCheckout } from '../../workspace/git/room/make-room.ts';
import { provide } from '../../workspace/git/room/provide.ts';
import { removeRoom } from '../../workspace/git/room/remove-room.ts';
import { keepSetUp, type SetUp, type SetUpSpec } from '../../workspace/git/room/set-up.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { beforeSetUp, makeSeed, type NewSeed } from '../../workspace/git/seed/make-seed.ts';
import { type SeedKeys, seedKeys } from '../../workspace/git/seed/seed-key.ts';
import { type Seed, seedFor } from '../../workspace/git/seed/seeds-folder.ts';
import { useSeed } from '../../workspace/git/seed/use-seed.ts';

export interface RoomSetUpDeps {
  readonly repository: Repository;
  readonly run: string;
  readonly runOne: (
    request: Pick<NewRoomPlace, 'directory' | 'marker'> & {
      readonly argv: readonly string[];
      readonly output: string;
      readonly purpose: 'set-up';
    },
    signal: AbortSignal,
    facts: WorkspaceFacts,
  ) => Promise<Omit<CommandRun, 'from'>>;
  /** The variables for everything that runs in a room. */
  readonly furnish: (directory: string, facts: WorkspaceFacts) => Promise<Readonly<Record<string, string>>>;
  readonly warn: (error: unknown) => void;
}

export interface NewRoomPlace {
  /** Absolute: the top of the room, and the project in it. */
  readonly folder: string;
  readonly directory: string;
  /** The commit or tree of its files. */
  readonly tree: string;
  readonly facts: WorkspaceFacts;
  readonly marker: Marker;
  /** Name of the folder for the output of commands. */
  readonly name: string;
  /** Runs the commands, whether there is a seed or not. */
  readonly ignoresSeeds?: true;
}

type Failed = CommandRun | undefined;

export interface RoomSetUp {
  /** Prepares a new room. Returns the first command that fails; undefined where none does. */
  setUp(place: NewRoomPlace, signal: AbortSignal): Promise<Failed>;
  /** As `setUp`, in the room of a task: its changes are kept apart from the work. `isCarried`: the room has earlier work. */
  setUpTask(place: NewRoomPlace, spec: SetUpSpec, isCarried: boolean, signal: AbortSignal): Promise<SetUp<Failed>>;
  /** The seed that fills rooms with these files, if any. */
  seedAt(facts: WorkspaceFacts, tree: string): Promise<Seed | undefined>;
  /** Sets up a room without an agent, where this set-up is not known to work. Leaves a seed, and no room. */
  tryOut(facts: WorkspaceFacts, signal: AbortSignal): Promise<Failed>;
}

export function roomSetUp({ repository, run, runOne, furnish, warn }: RoomSetUpDeps): RoomSetUp {
  /** By key: the set-up that is about to leave a seed. */
  const beingMade = new Map<string, Promise<unknown>>();
  let known: { readonly tree: string; readonly facts: WorkspaceFacts; readonly keys: Promise<SeedKeys> } | undefined;

  function keysOf({ facts, tree }: Pick<NewRoomPlace, 'facts' | 'tree'>): Promise<SeedKeys> {
    if (known?.tree !== tree || known.facts !== facts) known = { tree, facts, keys: seedKeys(repository, facts, tree) };
    return known.keys;
  }

  const seedOf = (keys: SeedKeys): Promise<Seed | undefined> => seedFor(repository, keys);

  async function commands({ directory, marker, name, facts }: NewRoomPlace, signal: AbortSignal): Promise<Failed> {
    for (const [at, argv] of facts.setup.entries()) {
      const output = `${runFolder(run)}/checks/${name}/setup-${at + 1}.txt`;
      const ran = await runOne({ argv, directory, marker, output, purpose: 'set-up' }, signal, facts);
      if (!ran.ok) return { ...ran, from: 'config' };
    }
    return undefined;
  }

  /** A seed saves time; without one, rooms are set up one by one. */
  async function commandsAndSeed(
    place: NewRoomPlace,
    keys: SeedKeys,
    how: NewSeed['how'],
    signal: AbortSignal,
  ): Promise<Failed> {
    const room = await beforeSetUp(repository, place.folder);
    const began = performance.now();
    const failed = await commands(place, signal);
    if (failed !== undefined) return failed;
    const setUp = performance.now() - began;
    const { DIVISI_SLUG: slug } = await furnish(place.directory, place.facts);
    const { setup: ran, base } = place.facts;
    const keepsSources = place.tree === base;
    await makeSeed(repository, { room, keys, commands: ran, setUp, slug, how, keepsSources }).catch(warn);
    return undefined;
  }

  async function fromSeed(place: NewRoomPlace, seed: Seed, signal: AbortSignal): Promise<Failed> {
    return (await useSeed(repository, seed, place.folder, signal)) ? undefined : commands(place, signal);
  }

  /** `tree` has the files of the room; absent where git refuses some of them. */
  async function withoutSeeding(place: NewRoomPlace, tree: string | undefined, signal: AbortSignal): Promise<Failed> {
    const seed = tree === undefined ? undefined : await seedOf(await seedKeys(repository, place.facts, tree));
    return seed === undefined ? commands(place, signal) : fromSeed(place, seed, signal);
  }

  /** Rooms with the same key wait for the first of them, and then use its seed. */
  async function inTurn(place: NewRoomPlace, signal: AbortSignal): Promise<Failed> {
    const keys = await keysOf(place);
    const key = keys.install ?? keys.sources;
    const seed = await seedOf(keys);
    if (seed !== undefined) return fromSeed(place, seed, signal);
    const first = beingMade.get(key);
    if (first !== undefined) {
      await first.catch(() => {});
      const left = await seedOf(keys);
      return left === undefined ? commands(place, signal) : fromSeed(place, left, signal);
    }
    const made = commandsAndSeed(place, keys, 'copy', signal);
    beingMade.set(key, made);
    try {
      return await made;
    } finally {
      beingMade.delete(key);
    }
  }

  return {
    async setUp(place, signal) {
      if (place.facts.setup.length === 0) return undefined;
      return place.ignoresSeeds === true ? commands(place, signal) : inTurn(place, signal);
    },
    async seedAt(facts, tree) {
      const seed = facts.setup.length === 0 ? undefined : await seedOf(await keysOf({ facts, tree }));
      return seed?.record.why === undefined ? seed : undefined;
    },
    async setUpTask(place, spec, isCarried, signal) {
      if (place.facts.setup.length === 0) return { done: undefined };
      // Earlier work may have changed what set-up depends on, and never becomes part of a seed.
      if (isCarried) return keepSetUp(repository, spec, (tree) => withoutSeeding(place, tree, signal), signal);
      const seed = await seedOf(await keysOf(place));
      const isQuiet = seed?.record.showsInStatus === false;
      if (isQuiet && (await useSeed(repository, seed, place.folder, signal))) return { done: undefined };
      return keepSetUp(repository, spec, () => inTurn(place, signal), signal);
    },
    async tryOut(facts, signal) {
      if (facts.setup.length === 0) return undefined;
      const keys = await keysOf({ facts, tree: facts.base });
      if ((await seedOf(keys)) !== undefined) return undefined;
      const { identity, base } = facts;
      const room = { run, name: 'set-up', commit: base, identity };
      const { folder, directory } = await openCheckout(repository, room, signal);
      try {
        await provide(repository.project, directory, facts);
        const place = { folder, directory, tree: base, facts, marker: { run, delegation: 'set-up' }, name: 'set-up' };
        return await commandsAndSeed(place, keys, 'move', signal);
      } finally {
        await removeRoom(repository, { folder, warn });
      }
    },
  };
}
