/**
 * Takes over feature documents that a project already has: those of `.claude/features/` by the names of the features, or any by their paths.
 * They are read from the user's checkout; only regular files inside the project count.
 */
import { readdir } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { divisiError, messageOf } from '../base/error.ts';
import { leadsOut } from '../base/paths.ts';
import { oneLine } from '../base/text.ts';
import type { Feature } from '../core/event/workflow.ts';
import { featureDocument, isUsable, mostDocument, mostPhases } from '../core/features/feature-document.ts';
import { checkCount, freeSlug } from '../core/features/feature-list.ts';
import { slugOf } from '../todo/slug.ts';
import { readOwnText } from '../workspace/own-text.ts';
import { locate } from '../workspace/project-path.ts';
import { documentText } from './feature-file.ts';

export const existingFolder = '.claude/features';

/** Safe in a link, a task and a message. */
const fileName = /^[\w.-]{1,100}-TODO\.md$/i;
const plainPath = /^[\w./-]{1,300}$/;

const slugOfFile = (name: string): string => slugOf(name.replace(/-TODO\.md$/i, ''), '').replaceAll('_', '-');

/** The names of the documents in a folder of the project; empty without the folder. */
export async function documentNames(project: string, folder: string): Promise<string[]> {
  const place = await locate(project, folder);
  if (place.found !== 'inside' || place.isFile) return [];
  return (await readdir(place.path)).filter((name) => fileName.test(name)).toSorted();
}

/**
 * The documents that the words of a command name, as files or as one folder of them. Empty if the words are something else: one file
 * without phases is a request in a person's words.
 */
export async function documentsIn(project: string, words: readonly string[]): Promise<string[]> {
  const paths = words.map((word) => relative(project, resolve(word)));
  if (!paths.every((path) => plainPath.test(path) && !leadsOut(path))) return [];
  const [only = ''] = paths;
  const names = paths.length === 1 ? await documentNames(project, only) : [];
  if (names.length > 0) return names.map((name) => `${only}/${name}`);
  if (!paths.every((path) => fileName.test(basename(path)))) return [];
  return paths.length === 1 && 'fault' in (await readDocument(project, only)) ? [] : paths;
}

/** Throws for a document that cannot be taken over. */
export async function documentedFeatures(project: string, paths: readonly string[]): Promise<Feature[]> {
  checkCount(paths.length);
  const taken = new Set<string>();
  const features: Feature[] = [];
  for (const path of paths) {
    const read = await readDocument(project, path);
    if ('fault' in read) throw unusable(path, read.fault);
    const name = slugOfFile(basename(path));
    const title = titleOf(read.text) ?? name;
    const slug = freeSlug(name, features.length + 1, taken);
    features.push({ slug, title, text: title, document: read });
  }
  if (features.every(isFinished)) throw finished(paths);
  return features;
}

/** Gives each feature that is only named the document of its name. A document that cannot be used is warned of. */
export async function withDocuments(
  project: string,
  features: readonly Feature[],
  warn: (error: unknown) => void,
): Promise<Feature[]> {
  const names = await documentNames(project, existingFolder);
  const bySlug = new Map(names.map((name) => [slugOfFile(name), `${existingFolder}/${name}`]));
  const found: Feature[] = [];
  for (const feature of features) {
    const path = bySlug.get(feature.slug);
    if (path !== undefined && !isNameOnly(feature)) {
      warn(
        new Error(
          `${path} exists, but you describe ${feature.slug} in more words: a new document is written; name the file to take it over`,
        ),
      );
      found.push(feature);
      continue;
    }
    const read = path === undefined ? undefined : await readDocument(project, path);
    if (read !== undefined && 'fault' in read)
      warn(new Error(`${path ?? ''}: ${read.fault}; a new document is written`));
    found.push(read === undefined || 'fault' in read ? feature : { ...feature, document: read });
  }
  if (found.every(isFinished)) throw finished(found.flatMap(({ document }) => document?.path ?? []));
  return found;
}

const letters = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** A person who says more than the name wants something new. */
const isNameOnly = ({ title, text }: Feature): boolean => letters(text) === letters(title);

/** One line for each document that was taken over. */
export function takenNotes(features: readonly Feature[]): string[] {
  return features.flatMap((feature) => {
    if (feature.document === undefined) return [];
    const { phases } = featureDocument(undefined, feature);
    const done = phases.filter(({ isDone }) => isDone).length;
    return [`${feature.slug} is taken over from ${feature.document.path}: ${done} of ${phases.length} phases are done`];
  });
}

function isFinished(feature: Feature): boolean {
  return feature.document !== undefined && featureDocument(undefined, feature).phases.every(({ isDone }) => isDone);
}

type ReadDocument = NonNullable<Feature['document']> | { readonly fault: string };

/** At its real path: a symlink would be replaced by a file when marks are written. */
async function readDocument(project: string, path: string): Promise<ReadDocument> {
  try {
    const place = await locate(project, path);
    const top = await locate(project, '.');
    const real = place.found === 'inside' && top.found === 'inside' ? relative(top.path, place.path) : path;
    const read = readOwnText(project, real, mostDocument * 3);
    if ('fault' in read) return { fault: read.fault === 'missing' ? 'it does not exist' : read.fault };
    const text = documentText(read.text.replace(/^\u{feff}/u, '')).trimEnd();
    if (text.length > mostDocument) return { fault: `it has more than ${mostDocument} characters` };
    return isUsable(text) ? { path: real, text } : { fault: `it has no phases, or more than ${mostPhases}` };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

/** `# TODO: Auth System` or `# Auth System TODO`. */
function titleOf(text: string): string | undefined {
  const [, heading = ''] = /^#[ \t]+(\S[^\n]{0,200})/m.exec(text) ?? [];
  const title = oneLine(heading.replace(/^TODO[ \t]*[:–—-][ \t]*|[ \t]+TODO$/gi, ''), 80);
  return title === '' || /^phase[ \t]+\d/i.test(title) ? undefined : title;
}

function unusable(file: string, fault: string): Error {
  return divisiError('INPUT_UNREADABLE', {
    message: `${file}: ${fault}`,
    expected: 'a feature document with phases such as `## Phase 1: Title`',
    next: 'Correct the document; or describe the feature in your own words, and Divisi writes one.',
    ids: { file },
  });
}

function finished(files: readonly string[]): Error {
  return divisiError('PLAN_FINISHED', {
    message: `every phase of ${oneLine(files.join(', '), 300)} is marked as done: there is nothing to build`,
    expected: 'a phase that is not marked as done',
    next: 'Remove the marks of phases to build again.',
    ids: { file: files[0] ?? '' },
  });
}
