/**
 * Running commands: finds the set-up, acceptance and teardown commands of a run that run now, from any process. Each carries its note in
 * its environment: nothing is written for it, and a command that ended or was killed leaves no trace. Linux only.
 */
import { isObject, numberAt, objectIn, textAt } from '../base/json-value.ts';
import { allPids, canReadProcesses, processStat, readProcess } from './process-stat.ts';

export const commandPurposes = ['set-up', 'acceptance', 'canary', 'teardown'] as const;
export type CommandPurpose = (typeof commandPurposes)[number];

export interface RunningCommand {
  readonly run: string;
  readonly purpose: CommandPurpose;
  /** The delegation, or the name of a check of merged work. */
  readonly of: string;
  /** The command line. */
  readonly command: string;
  /** Milliseconds, wall clock. */
  readonly since: number;
}

const variable = 'DIVISI_COMMAND';
const longest = 400;

export function commandEnvironment(running: RunningCommand): Record<string, string> {
  return { [variable]: JSON.stringify({ ...running, command: running.command.slice(0, longest) }) };
}

/** An agent could forge notes of its own processes: more are not shown. */
const most = 50;

/** The oldest first; null where the system does not show processes. */
export function findCommands(run: string): readonly RunningCommand[] | null {
  if (!canReadProcesses) return null;
  const notes = new Set<string>();
  for (const pid of allPids()) {
    const note = noteIn(pid);
    if (note !== undefined) notes.add(note);
  }
  const found = [...notes].flatMap(readNote).filter((one) => one.run === run);
  return found.toSorted((one, other) => one.since - other.since).slice(0, most);
}

/** The children of a command inherit its note. */
function noteIn(pid: number): string | undefined {
  const environ = readProcess(pid, 'environ');
  const [, note] = /(?:^|\0)DIVISI_COMMAND=([^\0]*)/.exec(environ ?? '') ?? [];
  return note === undefined || processStat(pid)?.zombie !== false ? undefined : note;
}

function readNote(note: string): RunningCommand[] {
  // The environment is read byte by byte.
  const read = objectIn(Buffer.from(note, 'latin1').toString('utf8'));
  const purpose = commandPurposes.find((one) => one === read['purpose']);
  const since = numberAt(read, 'since');
  if (!isObject(read) || purpose === undefined || since === undefined) return [];
  return [{ run: textAt(read, 'run'), purpose, of: textAt(read, 'of'), command: textAt(read, 'command'), since }];
}
