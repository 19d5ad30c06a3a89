/**
 * Work key: identifies the same work across runs and plan edits. It covers the words of a task, its acceptance, its
 * scope and forbidden paths, its agent's instructions and contract, and the work it waits for. It ignores id,
 * position, tier and driver: a task that is moved or renamed keeps its key, and one whose words change gets another,
 * as does everything that waits for it, directly or not.
 *
 * Identical tasks would share a key: from the second in the plan on, a count makes it unique. They are
 * interchangeable, so it does not matter which of them is which. Tasks that wait for one of them depend on the work,
 * not on the count.
 */
import { minimalScope } from '../../delegation/scope-locks.ts';
import { type PlanTask, wordsFor } from '../../plan/plan.ts';

export interface KeyedTask extends Pick<PlanTask, 'id' | 'title' | 'description' | 'accept' | 'scope' | 'after'> {
  readonly forbidden?: readonly string[] | undefined;
  readonly agent: string;
  readonly wave: number;
}

export interface AboutAgent {
  readonly instructions: string;
  /** `name@version`. */
  readonly contract: string;
}

/** A task, or a wave that tasks wait for: it is done when all of its tasks are. */
interface Node {
  readonly task?: KeyedTask;
  readonly after: Node[];
  readonly dependents: Node[];
  missing: number;
  /** The work without the count; empty until computed. */
  work: string;
}

/** Whether two tasks ask for the same work, apart from position and tier. */
export function asksForSame(one: KeyedTask, other: KeyedTask): boolean {
  const asked = ({ accept, scope, forbidden = [], agent, after, ...words }: KeyedTask): string =>
    JSON.stringify([wordsFor(words), accept, minimalScope(scope), minimalScope(forbidden), agent, after]);
  return asked(one) === asked(other);
}

/**
 * By id. `hash` is SHA-256 in hexadecimal: this folder imports nothing that could compute it. Linear in the size of
 * the plan. Unknown dependencies are ignored, and tasks in a cycle get no key: a plan with either is never run.
 */
export function workKeys(
  tasks: Iterable<KeyedTask>,
  about: (agent: string) => AboutAgent,
  hash: (text: string) => string,
): ReadonlyMap<string, string> {
  const nodes = graphOf([...tasks]);
  const agents = new Map<string, string>();
  const agentWork = (name: string): string => {
    const known = agents.get(name);
    if (known !== undefined) return known;
    const { instructions, contract } = about(name);
    const work = hash(JSON.stringify([instructions, contract]));
    agents.set(name, work);
    return work;
  };
  const workOf = ({ task, after }: Node): string => {
    const waitsFor = after.map(({ work }) => work).toSorted();
    if (task === undefined) return hash(JSON.stringify(waitsFor));
    const scope = minimalScope(task.scope);
    // Added only if something is forbidden: keys of earlier runs stay the same.
    const forbidden = task.forbidden === undefined ? [] : [minimalScope(task.forbidden)];
    return hash(JSON.stringify([wordsFor(task), task.accept, scope, agentWork(task.agent), waitsFor, ...forbidden]));
  };
  const ready = nodes.filter(({ missing }) => missing === 0);
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    node.work = workOf(node);
    for (const dependent of node.dependents) {
      dependent.missing -= 1;
      if (dependent.missing === 0) ready.push(dependent);
    }
  }
  return counted(nodes, hash);
}

/** The tasks in their order, then the waves. */
function graphOf(tasks: readonly KeyedTask[]): Node[] {
  const byId = new Map<string, Node>();
  const waves = new Map<number, Node>();
  const nodeOf = (task?: KeyedTask): Node => ({
    ...(task && { task }),
    after: [],
    dependents: [],
    missing: 0,
    work: '',
  });
  const link = (node: Node, dependency: Node): void => {
    node.after.push(dependency);
    node.missing += 1;
    dependency.dependents.push(node);
  };
  for (const task of tasks) {
    const node = nodeOf(task);
    const wave = waves.get(task.wave) ?? nodeOf();
    byId.set(task.id, node);
    waves.set(task.wave, wave);
    link(wave, node);
  }
  for (const node of byId.values()) {
    for (const dependency of node.task?.after ?? []) {
      const other = 'task' in dependency ? byId.get(dependency.task) : waves.get(dependency.wave);
      if (other) link(node, other);
    }
  }
  return [...byId.values(), ...waves.values()];
}

function counted(nodes: readonly Node[], hash: (text: string) => string): Map<string, string> {
  const keys = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { task, work } of nodes) {
    if (task === undefined || work === '') continue;
    const count = (counts.get(work) ?? 0) + 1;
    counts.set(work, count);
    keys.set(task.id, count === 1 ? work : hash(JSON.stringify([work, count])));
  }
  return keys;
}
