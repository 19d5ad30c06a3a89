/** Locates, reads and writes the files of backlog tasks. Refuses links that lead outside the project. */
import { basename, dirname, join } from 'node:path';
import { messageOf, DivisiError, divisiError } from '../base/error.ts';
import { hashText } from '../workspace/hash-text.ts';
import { writeAtomically } from '../workspace/atomic-file.ts';
import { folderInside, locate } from '../workspace/project-path.ts';
import { readRegularFile } from '../workspace/regular-file.ts';

/** Relative to the project. */
export interface TaskFiles {
  readonly todo: string;
  readonly state: string;
  /** Folder of the task folders. */
  readonly specs: string;
  /** Archived entries. */
  readonly archive: string;
}

const others = '.claude/specs';

/** `setting` is `specs:` of the config. */
export async function findTaskFiles(project: string, setting: string | undefined): Promise<TaskFiles> {
  if (setting !== undefined) return filesIn(setting, setting);
  const isThere = async (name: string): Promise<boolean> =>
    (await locate(project, `${others}/${name}`)).found !== 'missing';
  if ((await isThere('TODO.md')) || (await isThere('state.json'))) return filesIn(others, others);
  return filesIn('.', '.divisi/specs');
}

function filesIn(folder: string, specs: string): TaskFiles {
  const inside = (name: string): string => (folder === '.' ? name : `${folder}/${name}`);
  return { todo: inside('TODO.md'), state: inside('state.json'), specs, archive: join(specs, 'archive', 'TODO.md') };
}

const mostBytes = 64 * 1024 * 1024;

export interface TaskFile {
  readonly text: string;
  readonly hash: string;
}

/** Null for a missing file. */
export async function readTaskFile(project: string, path: string): Promise<TaskFile | null> {
  const place = await locate(project, path);
  if (place.found === 'missing') return null;
  if (place.found === 'outside') throw leadsOutside(path);
  try {
    const bytes = await readRegularFile(place.path, mostBytes);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, hash: hashText(text) };
  } catch (cause) {
    throw unusable(path, `cannot be read: ${messageOf(cause)}`, cause);
  }
}

/** False when the file changed meanwhile; `was` is its expected hash, null for a missing file. */
export async function writeTaskFile(project: string, path: string, text: string, was: string | null): Promise<boolean> {
  const place = await locate(project, path);
  if (place.found === 'outside') throw leadsOutside(path);
  try {
    const file =
      place.found === 'inside' ? place.path : join(await folderInside(project, dirname(path)), basename(path));
    return await writeAtomically(file, text, async () => ((await readTaskFile(project, path))?.hash ?? null) === was);
  } catch (cause) {
    if (cause instanceof DivisiError) throw cause;
    throw unusable(path, `cannot be written: ${messageOf(cause)}`, cause);
  }
}

function leadsOutside(path: string): DivisiError {
  return divisiError('PATH_OUTSIDE', {
    message: `${path} leads out of the project through a symlink`,
    next: 'Remove the symlink, or name another folder with specs: in .divisi/config.yaml; nothing was read or written there.',
    ids: { path },
  });
}

export function unusable(path: string, why: string, cause?: unknown): DivisiError {
  return divisiError('TASK_FILES_UNUSABLE', {
    message: `${path} ${why}`,
    next: `Fix or move the file, or name another folder for backlog tasks with specs: in .divisi/config.yaml. It was left as it is.`,
    ids: { path },
    cause,
  });
}
