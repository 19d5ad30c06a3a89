/**
 * Finds changes of paths that programs obey (`delegation/steering-paths.ts`). Rejects them unless the task's scope names the path;
 * then a person is asked, with the diff. Texts that instruct later agents are reported with the diff.
 */
import type { FindingKind, WorkFinding } from '../../core/event/verification.ts';
import { aboveProject, finding, shortList } from '../../core/event/work-findings.ts';
import { isNamedBy, type Steering, steeringOf } from '../../delegation/find-steering.ts';
import type { ChangedLines, WorkChange } from '../work.ts';
import { spelled } from './spelled.ts';
import { steersByPart } from './steering-part.ts';

export interface SteeringFacts {
  readonly changes: readonly WorkChange[];
  readonly lines: readonly ChangedLines[];
  readonly scope: readonly string[];
  /** The hooks folder of the user's config; absent if it is outside or git's own. */
  readonly hooks?: string | undefined;
  /** The content of a file before and after the work. */
  readonly before: (path: string) => Promise<string | undefined>;
  readonly after: (path: string) => Promise<string | undefined>;
}

const kinds = ['steering', 'steering-in-scope', 'instructs-agents'] as const satisfies FindingKind[];
type SteeringKind = (typeof kinds)[number];

/** Changed paths in one place of the list. */
interface Group {
  readonly kind: SteeringKind;
  readonly steering: Steering;
  readonly paths: readonly string[];
}

export async function checkSteering(facts: SteeringFacts): Promise<WorkFinding[]> {
  const { changes, hooks } = facts;
  const scope = facts.scope.map(spelled);
  const groups = new Map<string, Group>();
  for (const { path: asIs } of changes) {
    const path = spelled(fromTop(asIs));
    const steering = steeringOf(path, hooks === undefined ? undefined : fromTop(hooks));
    if (steering === undefined || !(await isTouched(facts, asIs, steering))) continue;
    const kind = kindOf(path, steering, scope);
    const key = `${kind} ${steering.named}`;
    const { paths = [] } = groups.get(key) ?? {};
    groups.set(key, { kind, steering, paths: [...paths, asIs] });
  }
  const all = [...groups.values()];
  return [...all.slice(0, mostGroups).map((one) => findingOf(one, facts.lines)), ...restOf(all.slice(mostGroups))];
}

const fromTop = (path: string): string => (path.startsWith(aboveProject) ? path.slice(aboveProject.length) : path);

/** One finding for each place: what it is about and which scope allows it must be readable for each of them. */
const mostGroups = 10;

function findingOf({ kind, steering: { row, named }, paths }: Group, lines: readonly ChangedLines[]): WorkFinding {
  const fact = `${about[kind]} ${shortList(paths, 3)}: ${row.why} (${row.path})`;
  if (kind === 'steering') return finding(kind, { fact: `${fact}; only a task with the scope ${named} may`, paths });
  return finding(kind, { fact, paths, diff: diffOf(paths, lines) });
}

function restOf(groups: readonly Group[]): WorkFinding[] {
  return kinds.flatMap((kind) => {
    const paths = groups.filter((one) => one.kind === kind).flatMap((one) => one.paths);
    return paths.length === 0 ? [] : [finding(kind, { fact: `${about[kind]} ${shortList(paths)}`, paths })];
  });
}

function kindOf(path: string, steering: Steering, scope: readonly string[]): SteeringKind {
  if (steering.row.effect === 'instructs') return 'instructs-agents';
  return isNamedBy(path, steering, scope) ? 'steering-in-scope' : 'steering';
}

async function isTouched(facts: SteeringFacts, path: string, { row: { part } }: Steering): Promise<boolean> {
  if (part === undefined) return true;
  return steersByPart(part, await facts.before(path), await facts.after(path));
}

const about: Readonly<Record<SteeringKind, string>> = {
  steering: 'changed what programs obey, in',
  'steering-in-scope': 'changes what programs obey, in',
  'instructs-agents': 'changes what later agents are told, in',
};

/** Lines of one file, and of all files. */
const mostOfFile = 20;
const mostLines = 60;

function diffOf(paths: readonly string[], lines: readonly ChangedLines[]): string[] {
  const byPath = new Map(lines.map((one) => [one.path, one]));
  const all = paths.flatMap((path) => {
    const { added = [], removed = [] } = byPath.get(path) ?? {};
    const both = [...removed.map((text) => `-${text}`), ...added.map(({ text }) => `+${text}`)];
    const rest = both.length - mostOfFile;
    return [
      `--- ${path}`,
      ...(both.length === 0 ? ['(no lines to show: its name, its mode or binary content)'] : both.slice(0, mostOfFile)),
      ...(rest > 0 ? [`(and ${rest} more lines)`] : []),
    ];
  });
  const rest = all.length - mostLines;
  return rest > 0 ? [...all.slice(0, mostLines), `(and ${rest} more lines)`] : all;
}
