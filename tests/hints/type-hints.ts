/**
 * Gives commands in a project that is in a certain state, and types every command line that their answers name. Each is typed in the
 * state in which it was read: the files of project, state and rooms are put back before it.
 */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stateFolder } from '../../src/workspace/places.ts';
import { divisi } from '../support/divisi.ts';
import { roomsFolder } from '../support/rooms.ts';
import { commandsIn, isExample } from './commands-in.ts';

/** Everything that a command may change. */
const placesOf = (project: string): string[] => [project, stateFolder(project), roomsFolder(project)];

function copy(from: readonly string[], to: readonly string[]): void {
  for (const [at, place] of from.entries()) {
    const target = to[at] ?? '';
    rmSync(target, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true });
    if (existsSync(place)) cpSync(place, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }
}

export interface Read {
  /** `status`: where the hint was read. */
  readonly from: string;
  readonly text: string;
}

export interface TypedHints {
  readonly typed: readonly string[];
  /** With the place each was read and the reason. */
  readonly refused: readonly string[];
}

/** Placeholders for the reader's own words are left out. */
export async function typeHints(
  project: string,
  aside: string,
  { commands, printed }: { readonly commands: readonly (readonly string[])[]; readonly printed: readonly Read[] },
): Promise<TypedHints> {
  const places = placesOf(project);
  const [first, then] = ['first', 'then'].map((name) => places.map((_, at) => join(aside, name, String(at)))) as [
    string[],
    string[],
  ];
  const [typed, refused] = [new Set<string>(), [] as string[]];
  /** The files are not as they were kept. */
  let isChanged = false;
  const give = async (words: readonly string[], state: readonly string[]): ReturnType<typeof divisi> => {
    if (isChanged) copy(state, places);
    const ran = await divisi(words, { cwd: project });
    isChanged = ran.code !== 2 && !isLook(words);
    return ran;
  };
  const typeAll = async ({ from, text }: Read, state: readonly string[], key: string): Promise<void> => {
    for (const words of commandsIn(text)) {
      const line = unquoted(words);
      const name = `${key} ${line.join(' ')}`;
      if (isExample(words) || typed.has(name)) continue;
      typed.add(name);
      const { code, stderr } = await give(line, state);
      if (code === 2 || code === 70) refused.push(`divisi ${line.join(' ')} (from ${from}): ${stderr.slice(0, 400)}`);
    }
  };
  copy(places, first);
  for (const one of printed) await typeAll(one, first, '');
  for (const words of commands) {
    const { stdout, stderr } = await give(words, first);
    const from = `divisi ${words.join(' ')}`;
    const read = { from, text: stdout + stderr };
    const hasMore = isChanged && commandsIn(read.text).some((one) => !isExample(one));
    if (!isChanged) await typeAll(read, first, '');
    else if (hasMore) {
      copy(places, then);
      isChanged = false;
      await typeAll(read, then, from);
      isChanged = true;
    }
  }
  return { typed: [...typed], refused };
}

/** It changes nothing. */
const isLook = ([name = '']: readonly string[]): boolean =>
  ['status', 'list', 'report', 'show', 'diff', 'logs', 'path', 'events', 'agents'].includes(name);

const unquoted = (words: readonly string[]): string[] => words.map((word) => word.replaceAll(/^["']|["']$/g, ''));
