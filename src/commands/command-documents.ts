/** Finds the documents of a backlog task that a command needs, and the path of the next one. */
import { defined } from '../base/defined.ts';
import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { pathFault } from '../base/paths.ts';
import type { ProjectTask } from '../todo/project-task.ts';
import type { CommandName } from '../routing/command-routing.ts';
import { locate, readInside } from '../workspace/project-path.ts';

export interface Document {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
}

export interface Documents {
  /** The newest of each; documents linked by the task come before others in its folder. */
  readonly report?: Document;
  readonly plan?: Document;
}

type Kind = 'report' | 'plan';

const folders: Readonly<Record<Kind, string>> = { report: 'reports', plan: 'plans' };

export async function findDocuments(project: string, folder: string, task: ProjectTask): Promise<Documents> {
  const [report, plan] = [await newest(project, folder, task, 'report'), await newest(project, folder, task, 'plan')];
  return defined({ report, plan });
}

async function newest(project: string, folder: string, task: ProjectTask, kind: Kind): Promise<Document | undefined> {
  const named = task.artifacts.filter(({ type }) => type === kind).map(({ path }) => path);
  const below = posix.join(folder, folders[kind]);
  const lying = (await namesIn(project, below))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${below}/${name}`);
  for (const path of [...named.toReversed(), ...lying.toReversed()]) {
    // Links written by people may lead anywhere.
    if (pathFault(path) !== undefined) continue;
    const text = await readInside(project, path);
    if (text !== undefined && text.trim() !== '') return { path, text };
  }
  return undefined;
}

/** Sorted by number. */
async function namesIn(project: string, folder: string): Promise<string[]> {
  const place = await locate(project, folder);
  if (place.found !== 'inside' || place.isFile) return [];
  return (await readdir(place.path)).toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

interface Place {
  readonly folder: string;
  readonly name: string;
  /** Artifact type in a return. */
  readonly type: 'report' | 'plan' | 'summary';
}

const places: Readonly<Record<CommandName, Place>> = {
  research: { folder: 'reports', name: 'research', type: 'report' },
  plan: { folder: 'plans', name: 'implementation', type: 'plan' },
  revise: { folder: 'plans', name: 'implementation', type: 'plan' },
  implement: { folder: 'summaries', name: 'implementation-summary', type: 'summary' },
  review: { folder: 'reports', name: 'review', type: 'report' },
};

export interface NewDocument {
  readonly type: Place['type'];
  /** Consecutive; none exists yet. */
  readonly paths: readonly string[];
}

/** `reports/research-001.md`, then `-002`: never overwrites an existing document. */
export async function newDocuments(
  project: string,
  folder: string,
  command: CommandName,
  count: number,
): Promise<NewDocument> {
  const { folder: below, name, type } = places[command];
  const at = posix.join(folder, below);
  const numbers = (await namesIn(project, at)).flatMap((one) => {
    const found = one.startsWith(`${name}-`) ? /^(\d{1,9})\.md$/.exec(one.slice(name.length + 1)) : null;
    return found === null ? [] : [Number(found[1])];
  });
  const first = Math.max(0, ...numbers) + 1;
  const path = (index: number): string => `${at}/${name}-${String(first + index).padStart(3, '0')}.md`;
  return { type, paths: Array.from({ length: count }, (_, index) => path(index)) };
}
