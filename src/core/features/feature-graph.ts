/**
 * Orders features by their dependencies. Agents name those in their own words: names are matched leniently, and an
 * unknown name is reported but blocks nothing. A person decides how to break a cycle; the proposal lets the most
 * urgent of its features come first.
 */
import { slugOf } from '../../todo/slug.ts';

export interface FeatureNode {
  readonly slug: string;
  readonly title: string;
  /** As named in its document. */
  readonly dependencies: readonly string[];
  /** 1 is the most urgent. */
  readonly priority: number;
}

/** `from` needs `to`. */
export interface Need {
  readonly from: string;
  readonly to: string;
}

export interface Linked {
  /** By slug. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** Names that match no feature of this run. */
  readonly unknown: readonly { readonly feature: string; readonly name: string }[];
}

/** `ignored` are needs that a person has dropped. */
export function linkFeatures(nodes: readonly FeatureNode[], ignored: ReadonlySet<string> = new Set()): Linked {
  const needs = new Map<string, readonly string[]>();
  const unknown: { readonly feature: string; readonly name: string }[] = [];
  for (const { slug, dependencies } of nodes) {
    const own = new Set<string>();
    for (const name of dependencies) {
      const to = named(name, nodes);
      if (to === undefined) unknown.push({ feature: slug, name });
      else if (to !== slug && !ignored.has(needKey({ from: slug, to }))) own.add(to);
    }
    needs.set(slug, [...own]);
  }
  return { needs, unknown };
}

export const needKey = ({ from, to }: Need): string => `${from} → ${to}`;

/** The first of these needs that the text names: `auth needs payments`, `auth → payments` or `auth -> payments`. */
export function needIn(text: string, needs: readonly Need[]): Need | undefined {
  const named = text.toLowerCase().matchAll(/(?=(?<![a-z\d-])([a-z\d-]+)\s*(?:→|->|\bneeds\b)\s*([a-z\d-]+))/g);
  for (const [, from, to] of named) {
    const need = needs.find((one) => one.from === from && one.to === to);
    if (need !== undefined) return need;
  }
  return undefined;
}

const plain = (words: string): string => slugOf(words, '').replaceAll('_', '-');
const folded = (words: string): string => words.normalize('NFKC').trim().toLowerCase();

/**
 * Matches the title, in any script, or the slug; otherwise the only slug that is a prefix of the name, or of which
 * the name is one.
 */
function named(name: string, nodes: readonly FeatureNode[]): string | undefined {
  const same = nodes.find(({ title }) => folded(title) === folded(name));
  if (same !== undefined) return same.slug;
  const words = plain(name.replace(/-TODO\.md$/i, '').replace(/^.*\//, ''));
  if (words === '') return undefined;
  const exact = nodes.find(({ slug }) => slug === words) ?? nodes.find(({ title }) => plain(title) === words);
  if (exact !== undefined) return exact.slug;
  const near = nodes.filter(({ slug }) => slug.startsWith(`${words}-`) || words.startsWith(`${slug}-`));
  return near.length === 1 ? near[0]?.slug : undefined;
}

const slugsOf = (nodes: readonly FeatureNode[]): string[] => nodes.map(({ slug }) => slug);

/**
 * By dependency, then by priority, then as given. Features in a cycle come after all others, except those that need
 * them.
 */
export function featureOrder(nodes: readonly FeatureNode[], needs: Linked['needs']): string[] {
  const order: string[] = [];
  const left = nodes.toSorted((one, other) => one.priority - other.priority);
  while (left.length > 0) {
    const at = left.findIndex(({ slug }) => (needs.get(slug) ?? []).every((one) => order.includes(one)));
    const cycle = at === -1 ? findCycle(slugsOf(left), needs) : undefined;
    const from = cycle === undefined ? at : left.findIndex(({ slug }) => cycle.includes(slug));
    const [next] = left.splice(Math.max(0, from), 1);
    if (next !== undefined) order.push(next.slug);
  }
  return order;
}

/** The first cycle, in the order in which features were given: `[auth, payments]` for auth → payments → auth. */
export function findCycle(slugs: readonly string[], needs: Linked['needs']): readonly string[] | undefined {
  const finished = new Set<string>();
  const inside = new Set(slugs);
  for (const start of slugs) {
    const found = from(start, []);
    if (found !== undefined) return found;
  }
  return undefined;

  function from(slug: string, way: readonly string[]): readonly string[] | undefined {
    const at = way.indexOf(slug);
    if (at !== -1) return way.slice(at);
    if (finished.has(slug) || !inside.has(slug)) return undefined;
    for (const next of needs.get(slug) ?? []) {
      const found = from(next, [...way, slug]);
      if (found !== undefined) return found;
    }
    finished.add(slug);
    return undefined;
  }
}

/** Each cycle excludes the features of the cycles before it, so the search ends. */
export function findCycles(nodes: readonly FeatureNode[], needs: Linked['needs']): (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  let slugs = slugsOf(nodes);
  for (;;) {
    const cycle = findCycle(slugs, needs);
    if (cycle === undefined) return cycles;
    cycles.push(cycle);
    slugs = slugs.filter((slug) => !cycle.includes(slug));
  }
}

/** `auth → payments → auth`. */
export function cyclePath(cycle: readonly string[]): string {
  return [...cycle, ...cycle.slice(0, 1)].join(' → ');
}

/** The needs of a cycle, each of which could be dropped: first that of its most urgent feature. */
export function waysOut(cycle: readonly string[], nodes: readonly FeatureNode[]): Need[] {
  const priority = (slug: string): number => nodes.find((one) => one.slug === slug)?.priority ?? Infinity;
  const needs = cycle.map((from, at): Need => ({ from, to: cycle[(at + 1) % cycle.length] ?? from }));
  return needs.toSorted((one, other) => priority(one.from) - priority(other.from));
}
