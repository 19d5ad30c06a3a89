/** A driver of ours on a real program, a task for it in a room, and the model that it talks with. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DelegationLimits } from '../../src/base/delegation-limits.ts';
import { acpSettings, oneShotNames, oneShotSettings } from '../../src/config/client-settings.ts';
import { contractSchema } from '../../src/contracts/write/json-schema.ts';
import { printValues } from '../../src/contracts/write/print.ts';
import { contractsByName, findContract } from '../../src/contracts/registry.ts';
import { asJson } from '../../src/contracts/return-way.ts';
import { acpDriverFrom, oneShotDriverFrom } from '../../src/drivers/client-driver.ts';
import type { Conversation, Driver, DriverNote, DriverTask, OwnConversation } from '../../src/drivers/driver.ts';
import type { Tier } from '../../src/plan/plan.ts';
import { driverTask } from '../conformance/driver-task.ts';
import { confinedRoom } from '../support/confined-room.ts';
import { put } from '../support/git-project.ts';
import type { Files } from '../support/temporary-folder.ts';
import type { ClientFacts } from './facts.ts';
import { type ModelApi, startModelApi } from './model-api/model-api.ts';
import type { Script, Step } from './model-api/script.ts';
import { processesWith } from './processes.ts';
import { pointAt, programsIn } from './programs.ts';

export const contract = findContract(contractsByName(), 'worker-report');

/** A return that keeps the contract, by whatever way the program takes it. */
export const good: Step = {
  does: 'return',
  result: JSON.parse(printValues(asJson(contract), contract.example)) as Readonly<Record<string, unknown>>,
  words: printValues(contract, contract.example),
};

export interface Driven extends Conversation {
  readonly api: ModelApi;
  readonly task: DriverTask;
  readonly notes: readonly DriverNote[];
  readonly abort: (reason: 'gently' | 'at-once') => void;
  /** The processes that carry the name of the delegation, by their ids. */
  readonly processes: () => readonly number[];
}

export interface Ground {
  /** Gone with all that is in it. */
  readonly root: string;
  readonly bin: string;
  /** One per program: what it unpacks there at its first start is there for all tests. */
  readonly home: string;
  /** Where no one may write, and not below a folder for temporary files, which some sandboxes allow. */
  readonly outside: string;
  readonly clear: () => void;
}

export function groundFor({ client }: ClientFacts): Ground {
  const root = realpathSync(mkdtempSync(join('/tmp', `divisi-clients-${client}-`)));
  const outside = realpathSync(mkdtempSync(join('/var/tmp', 'divisi-clients-')));
  // Codex makes no helpers of its own in a home below a folder for temporary files, and a bubblewrap of the system may need them.
  const home = realpathSync(mkdtempSync(join('/var/tmp', `divisi-home-${client}-`)));
  const clear = (): void =>
    [root, outside, home].forEach((path) => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return { root, bin: programsIn(join(root, 'bin')), home, outside, clear };
}

/** A room of a repository, as a delegation gets it. */
export function roomIn(root: string): string {
  const place = mkdtempSync(join(root, 'task-'));
  const [project, room] = [join(place, 'project'), join(place, 'room')];
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...args], {
      stdio: 'ignore',
    });
  git('init', '--initial-branch=main', project);
  git('-C', project, 'commit', '--allow-empty', '--message=begin');
  git('clone', '--shared', project, room);
  git('-C', room, 'remote', 'remove', 'origin');
  return room;
}

export function driverOf(
  { client, way }: ClientFacts,
  { root }: Pick<Ground, 'root'>,
  environment: NodeJS.ProcessEnv,
  /** Variables that its settings name. */
  named: readonly string[] = [],
): Driver {
  const sources = { project: root, environment };
  if (way === 'acp') {
    return acpDriverFrom(client, acpSettings.parse({ kind: 'acp', profile: client, environment: [...named] }), sources);
  }
  const profile = oneShotNames.find((name) => name === client);
  const settings = oneShotSettings.parse({ kind: 'one-shot', profile, environment: [...named] });
  return oneShotDriverFrom(client, settings, sources);
}

function conversationOf({ notes }: Driven): OwnConversation | undefined {
  const told = notes.findLast((note) => note.kind === 'conversation');
  return told && { driver: told.driver, id: told.id };
}

export interface Circumstances {
  readonly tier?: Tier;
  readonly isReview?: boolean;
  readonly limits?: DelegationLimits;
  /** On top of what points the program at the model. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whose conversation it continues, in a room of its own. */
  readonly before?: Driven;
  /** In the room of that one. */
  readonly isHere?: boolean;
  /** What is in its room before it starts. */
  readonly files?: Files;
}

export async function drive(
  facts: ClientFacts,
  ground: Ground,
  script: Script,
  {
    tier = 'standard',
    isReview = false,
    limits = {},
    variables = {},
    before,
    isHere = false,
    files = {},
  }: Circumstances = {},
): Promise<Driven> {
  const api = await startModelApi(script);
  const environment = {
    PATH: `${ground.bin}:/usr/bin:/bin`,
    ...pointAt(api.url, facts.client, ground.home),
    ...variables,
  };
  const room = isHere && before !== undefined ? before.task.directory : roomIn(ground.root);
  const place = { room, project: join(dirname(room), 'project'), own: join(ground.root, 'divisi'), environment };
  put(room, files);
  const task = driverTask(room, {
    confinement: await confinedRoom(place),
    tier,
    isReview,
    limits,
    prompt: 'Do it.',
    returnSchema: contractSchema(contract),
    ...(before && { resumes: { ...conversationOf(before), isHere } }),
  });
  mkdirSync(dirname(join(task.directory, task.reportPath)), { recursive: true });
  const notes: DriverNote[] = [];
  const stop = new AbortController();
  const driver = driverOf(facts, ground, environment, Object.keys(variables));
  const conversation = driver.start(task, stop.signal, (note) => notes.push(note));
  return {
    first: conversation.first,
    repair: conversation.repair,
    close: async () => {
      await conversation.close();
      await api.close();
    },
    api,
    task,
    notes,
    abort: (reason) => stop.abort(reason),
    processes: () => processesWith(task.delegation),
  };
}
