/** Found task: a backlog task as a file describes it. Fields the file does not mention are absent. */
import { defined } from '../base/defined.ts';
import { flatten } from '../base/text.ts';
import { artifactPath } from './artifact-links.ts';
import type { artifactTypes } from '../contracts/result.ts';
import type { ProjectTask } from './project-task.ts';

export type FoundTask = Readonly<Pick<ProjectTask, 'number' | 'title'>> &
  Readonly<Partial<Omit<ProjectTask, 'number' | 'title'>>> & {
    /** The name of its folder, without the number. */
    readonly slug?: string;
    /** The file has no title; this one was derived from the slug. */
    readonly isTitleMade?: true;
  };

/** A part of the file that cannot be read, for the person who wrote it. */
export interface TodoFault {
  /** Counted from 1; absent for a fault in JSON. */
  readonly line?: number;
  readonly number?: number;
  readonly message: string;
}

export interface TodoReading {
  readonly entries: ReadonlyMap<number, FoundTask>;
  readonly faults: readonly TodoFault[];
}

/** The file's view of a task: every text on one line, no fields without a value. */
export function foundOf(task: ProjectTask): FoundTask {
  const description = singleLine(task.description);
  return {
    number: task.number,
    title: titleLine(task.title),
    status: task.status,
    ...(description === '' ? {} : { description }),
    ...withText('language', task.language),
    ...withText('effort', task.effort),
    ...withText('priority', task.priority),
    ...withText('reason', task.reason),
    ...defined({ parent: task.parent }),
    artifacts: task.artifacts.map(({ type, path }) => ({ type, path: artifactPath(path) ?? singleLine(path) })),
    ...withText('created', task.created),
    ...withText('updated', task.updated),
    ...withText('completed', task.completed),
  };
}

const notPlain = /[^ -~]|^ | $| {2}/;

/** One line. Most texts already are, and there may be ten thousand tasks. */
export function singleLine(text: string): string {
  return notPlain.test(text) ? flatten(text) : text;
}

/** A heading without words would not be the heading of a task. */
export function titleLine(title: string): string {
  return singleLine(title) || 'Untitled';
}

function withText<Name extends string>(name: Name, value: string | undefined): { [name in Name]?: string } {
  const line = plainValue(value ?? '');
  return line === '' ? {} : ({ [name]: line } as { [name in Name]?: string });
}

/** One line without emphasis or code marks around all of it. */
export function plainValue(text: string): string {
  let line = singleLine(text);
  while (/^(?:\*\*|__|`)/.test(line)) {
    const mark = ['**', '__', '`'].find((mark) => isWrapped(line, mark));
    if (mark === undefined) return line;
    line = line.slice(mark.length, -mark.length).trim();
  }
  return line;
}

/** Marks inside would end one emphasis and start another. */
function isWrapped(line: string, mark: string): boolean {
  return (
    line.length > 2 * mark.length &&
    line.startsWith(mark) &&
    line.indexOf(mark, mark.length) === line.length - mark.length
  );
}

/** Files have days, the task list has times: a day equals every time on it. */
export function isSameTime(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const isDay = one.length === 10 || other.length === 10;
  return one === other || (isDay && one.slice(0, 10) === other.slice(0, 10));
}

type ArtifactType = (typeof artifactTypes)[number];
export type Artifact = ProjectTask['artifacts'][number];

/** The type of a path without one. */
export function artifactTypeOf(path: string): ArtifactType {
  const folder = /(?:^|\/)(plans|reports|summaries|docs)\//.exec(path)?.[1];
  if (folder === 'plans') return 'plan';
  if (folder === 'reports') return 'report';
  if (folder === 'summaries') return 'summary';
  return folder === 'docs' ? 'documentation' : 'implementation';
}

/** Ignores the order between types: TODO.md has a line for each. */
export function areSameArtifacts(some: readonly Artifact[] = [], others: readonly Artifact[] = []): boolean {
  const key = ({ type, path }: Artifact): string => `${type} ${path}`;
  const [one, other] = [new Set(some.map(key)), new Set(others.map(key))];
  return one.size === other.size && one.isSubsetOf(other);
}
