/**
 * Writes a feature's document to disk: once per run, with a last line that names the run and the hash; afterwards only the marks of known
 * phases change. Edits of a person stay and are noted in that line; an older file is kept beside it unless Divisi wrote all of it. A document
 * that existed before the run stays where it is: only its marks change, and those of phases finished before do not.
 */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unsafe } from '../base/text.ts';
import { hashText } from '../workspace/hash-text.ts';
import { markPhase, type PhaseMark, readPhases } from '../todo/plan-phases.ts';
import { writeAtomically } from '../workspace/atomic-file.ts';
import { readInside } from '../workspace/project-path.ts';

export interface FeatureFile {
  readonly run: string;
  /** Relative to the project. */
  readonly path: string;
  /** It existed before the run. */
  readonly isExisting: boolean;
  /** The recorded text. */
  readonly text: string;
  /** By the position of the phase, from 1. */
  readonly marks: ReadonlyMap<number, PhaseMark>;
}

interface Found {
  readonly run: string;
  /** Without the last line. */
  readonly body: string;
  readonly isEdited: boolean;
}

const lastLine = /<!-- divisi: (run_\w+)(?: (\w+))? -->/g;

function bodyOf(text: string): Found | undefined {
  const line = [...text.matchAll(lastLine)].at(-1);
  if (line === undefined) return undefined;
  const [all, run = '', written = ''] = line;
  const after = text.slice(line.index + all.length);
  const before = text.slice(0, line.index);
  const isEdited = after.trim() !== '' || printOf(before) !== written;
  return { run, body: after.trim() === '' ? before : `${before.trimEnd()}\n\n${after.trim()}\n\n`, isEdited };
}

/** The text of the file without the line of a run. */
export const documentText = (text: string): string => bodyOf(text)?.body ?? text;

const cleaned = (text: string): string => `${text.replaceAll(unsafe, ' ').trimEnd()}\n\n`;

/** The file as the run found it, or as a person has changed it since. */
function takenOver(found: string | undefined, recorded: string): Found | undefined {
  if (found === undefined) return undefined;
  const body = `${documentText(found).trimEnd()}\n\n`;
  return { run: '', body, isEdited: cleaned(body) !== recorded };
}

const printOf = (body: string): string => hashText(body).slice(0, 16);

function withLine(body: string, run: string, isEdited: boolean): string {
  return `${body}<!-- divisi: ${run} ${isEdited ? 'edited' : printOf(body)} -->\n`;
}

/** Returns notes for people; `warn` gets each of them once. */
export async function writeDocument(
  project: string,
  described: FeatureFile,
  warn: (what: string) => void,
): Promise<readonly string[]> {
  const { run, path, isExisting, text } = described;
  const recorded = cleaned(text);
  const found = await readInside(project, path);
  const before = found === undefined ? undefined : bodyOf(found);
  const own = before?.run === run ? before : isExisting ? takenOver(found, recorded) : undefined;
  if (found !== undefined && own === undefined && before?.isEdited !== false) {
    const kept = await keepBeside(project, path, found);
    if (kept !== undefined) warn(`${path} already existed; the earlier file is kept as ${kept}`);
  }
  const body = marked(own?.body ?? recorded, readPhases(recorded), described);
  const isWritten = await replaceFile(project, path, withLine(body, run, own?.isEdited === true), found);
  const edited = `${path} was edited by hand; the run uses the recorded version`;
  if (own?.isEdited === true && isWritten && !found?.includes(`${run} edited -->`)) warn(edited);
  return [...(own?.isEdited === true ? [edited] : []), ...(await keptOf(project, path))];
}

/** Leaves the marks of phases that the run does not know: a person added them. */
function marked(
  text: string,
  recorded: ReturnType<typeof readPhases>,
  { marks, isExisting }: Pick<FeatureFile, 'marks' | 'isExisting'>,
): string {
  let now = text;
  for (const { number, title, isDone } of readPhases(text)) {
    const at = recorded.findIndex((one) => one.number === number && one.title === title);
    if (at === -1) continue;
    const mark = marks.get(at + 1);
    if (mark !== undefined) now = markPhase(now, number, mark);
    else if (isDone && !isExisting) now = markPhase(now, number, 'NOT STARTED');
  }
  return now;
}

/** Keeps a copy as `auth-TODO.1.md`, unless one with the same text exists. Undefined where nothing was written. */
async function keepBeside(project: string, path: string, text: string): Promise<string | undefined> {
  for (let number = 1; ; number += 1) {
    const beside = path.replace(/\.md$/, `.${number}.md`);
    const there = await readInside(project, beside);
    if (there === text) return undefined;
    if (there !== undefined) continue;
    await replaceFile(project, beside, text);
    return beside;
  }
}

async function keptOf(project: string, path: string): Promise<string[]> {
  const folder = dirname(path);
  const [start = ''] = basename(path).split(/md$/);
  const names = await readdir(join(project, folder));
  const kept = names.filter((name) => name.startsWith(start) && /^\d+\.md$/.test(name.slice(start.length)));
  return kept.toSorted().map((name) => `${folder}/${name} has the earlier content of ${path}`);
}

/** Writes the text if it differs and no other process has written since. Returns whether it did. */
export async function replaceFile(project: string, path: string, text: string, found?: string): Promise<boolean> {
  const before = found ?? (await readInside(project, path));
  if (before === text) return false;
  const still = async (): Promise<boolean> => (await readInside(project, path)) === before;
  return writeAtomically(join(project, path), text, still);
}
