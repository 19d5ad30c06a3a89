/** What a file says of a backlog task. A field that it says nothing about is not there. */
import { defined } from '../base/defined.ts';
import { flatten } from '../base/text.ts';
import { artifactPath } from './artifact-links.ts';
import type { artifactTypes } from '../contracts/result.ts';
import type { ProjectTask } from './project-task.ts';

export type FoundTask = Readonly<Pick<ProjectTask, 'number' | 'title'>> &
  Readonly<Partial<Omit<ProjectTask, 'number' | 'title'>>> & {
    /** How its folder is called, without the number. */
    readonly slug?: string;
    /** The file has no title for it; this one was made of the slug. */
    readonly isTitleMade?: true;
  };

/** What cannot be read, for the person who wrote it. */
export interface TodoFault {
  /** Counted from 1; not known for a fault in JSON. */
  readonly line?: number;
  readonly number?: number;
  readonly message: string;
}

export interface TodoReading {
  readonly entries: ReadonlyMap<number, FoundTask>;
  readonly faults: readonly TodoFault[];
}

/** What a file would say of a task: every text on one line, fields without a value left out. */
export function foundOf(task: ProjectTask): FoundTask {
  const description = lineOf(task.description);
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
    artifacts: task.artifacts.map(({ type, path }) => ({ type, path: artifactPath(path) ?? lineOf(path) })),
    ...withText('created', task.created),
    ...withText('updated', task.updated),
    ...withText('completed', task.completed),
  };
}

const notPlain = /[^ -~]|^ | $| {2}/;

/** One line; most texts are one already, and there are ten thousand tasks. */
export function lineOf(text: string): string {
  return notPlain.test(text) ? flatten(text) : text;
}

/** A heading without words would be no heading of a task. */
export function titleLine(title: string): string {
  return lineOf(title) || 'Untitled';
}

function withText<Name extends string>(name: Name, value: string | undefined): { [name in Name]?: string } {
  const line = plainValue(value ?? '');
  return line === '' ? {} : ({ [name]: line } as { [name in Name]?: string });
}

/** One line without the emphasis or code marks around the whole of it. */
export function plainValue(text: string): string {
  let line = lineOf(text);
  while (/^(?:\*\*|__|`)/.test(line)) {
    const mark = ['**', '__', '`'].find((mark) => isWrapped(line, mark));
    if (mark === undefined) return line;
    line = line.slice(mark.length, -mark.length).trim();
  }
  return line;
}

/** Marks inside would be the end of one emphasis and the begin of another. */
function isWrapped(line: string, mark: string): boolean {
  return (
    line.length > 2 * mark.length &&
    line.startsWith(mark) &&
    line.indexOf(mark, mark.length) === line.length - mark.length
  );
}

/** Files have days, the task list has times: a day is the same as every time of it. */
export function isSameTime(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const isDay = one.length === 10 || other.length === 10;
  return one === other || (isDay && one.slice(0, 10) === other.slice(0, 10));
}

type ArtifactType = (typeof artifactTypes)[number];
export type Artifact = ProjectTask['artifacts'][number];

/** What a path without a type is taken for. */
export function artifactTypeOf(path: string): ArtifactType {
  const folder = /(?:^|\/)(plans|reports|summaries|docs)\//.exec(path)?.[1];
  if (folder === 'plans') return 'plan';
  if (folder === 'reports') return 'report';
  if (folder === 'summaries') return 'summary';
  return folder === 'docs' ? 'documentation' : 'implementation';
}

/** The order between kinds is no difference: TODO.md has a line for each. */
export function areSameArtifacts(some: readonly Artifact[] = [], others: readonly Artifact[] = []): boolean {
  const key = ({ type, path }: Artifact): string => `${type} ${path}`;
  const [one, other] = [new Set(some.map(key)), new Set(others.map(key))];
  return one.size === other.size && one.isSubsetOf(other);
}
