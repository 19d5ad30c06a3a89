import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cyclePath,
  featureOrder,
  type FeatureNode,
  findCycle,
  linkFeatures,
  needIn,
  needKey,
  waysOut,
} from './feature-graph.ts';

const node = (slug: string, dependencies: readonly string[] = [], priority = 3): FeatureNode => ({
  slug,
  title: slug.replaceAll('-', ' '),
  dependencies,
  priority,
});

const orderOf = (nodes: readonly FeatureNode[]): string[] => featureOrder(nodes, linkFeatures(nodes).needs);
const slugsOf = (nodes: readonly FeatureNode[]): string[] => nodes.map(({ slug }) => slug);

describe('the order of features', () => {
  it('follows dependency, then priority, then the given order', () => {
    expect(orderOf([node('a'), node('b'), node('c')])).toEqual(['a', 'b', 'c']);
    expect(orderOf([node('a'), node('b', [], 1), node('c', [], 2)])).toEqual(['b', 'c', 'a']);
    expect(orderOf([node('a', ['c'], 1), node('b', [], 2), node('c', [], 5)])).toEqual(['b', 'c', 'a']);
  });

  it('puts the features of a cycle before those that need them', () => {
    const nodes = [node('ui', ['auth'], 1), node('auth', ['pay']), node('pay', ['auth'], 2), node('mail', [], 5)];
    expect(orderOf(nodes)).toEqual(['mail', 'pay', 'auth', 'ui']);
  });

  it('matches names leniently, and reports unknown ones', () => {
    const nodes = [
      node('auth-system'),
      node('payments', ['Auth System', '.divisi/features/auth-system-TODO.md', 'auth', 'payments', 'ledger']),
      node('pay-later', ['pay']),
    ];
    const { needs, unknown } = linkFeatures(nodes);
    expect(needs.get('payments')).toEqual(['auth-system']);
    expect(unknown).toEqual([{ feature: 'payments', name: 'ledger' }]);
    expect(needs.get('pay-later')).toEqual([]);
  });

  it('matches names in any script', () => {
    const nodes = [
      { ...node('feature-1'), title: '認証' },
      { ...node('feature-2', ['認証', 'feature-3', '会計']), title: '支払い' },
      { ...node('feature-3'), title: 'Éxport Ü' },
      node('task', ['éxport ü', '支払い']),
    ];
    const { needs, unknown } = linkFeatures(nodes);
    expect(needs.get('feature-2')).toEqual(['feature-1', 'feature-3']);
    expect(needs.get('task')).toEqual(['feature-3', 'feature-2']);
    expect(unknown).toEqual([{ feature: 'feature-2', name: '会計' }]);
  });

  it('shows a cycle as a path, with ways to break it', () => {
    const nodes = [
      node('ui', ['auth']),
      node('auth', ['payments'], 1),
      node('payments', ['mail'], 2),
      node('mail', ['auth']),
    ];
    const cycle = findCycle(slugsOf(nodes), linkFeatures(nodes).needs) ?? [];
    expect(cyclePath(cycle)).toBe('auth → payments → mail → auth');
    expect(waysOut(cycle, nodes).map(needKey)).toEqual(['auth → payments', 'payments → mail', 'mail → auth']);
    const without = linkFeatures(nodes, new Set(['auth → payments']));
    expect(findCycle(slugsOf(nodes), without.needs)).toBeUndefined();
    expect(featureOrder(nodes, without.needs)).toEqual(['auth', 'ui', 'mail', 'payments']);
  });

  it('finds the need of a cycle that a note drops, among other words', () => {
    const needs = [
      { from: 'auth', to: 'pay-later' },
      { from: 'pay-later', to: 'auth' },
    ];
    expect(needIn('Mail needs auth needs pay-later. Pay-Later -> AUTH', needs)).toEqual(needs[0]);
    expect(needIn('mail needs auth, and PAY-LATER→auth is wrong', needs)).toEqual(needs[1]);
    expect(needIn('later needs auth', needs)).toBeUndefined();
    expect(needIn('', needs)).toBeUndefined();
  });

  it('has no cycle left once every proposal is accepted', () => {
    const graph = fc
      .integer({ min: 1, max: 8 })
      .chain((size) =>
        fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 20 }).map((edges) => ({ size, edges })),
      );
    fc.assert(
      fc.property(graph, ({ size, edges }) => {
        const nodes = Array.from({ length: size }, (_, at) =>
          node(
            `f${at}x`,
            edges.filter(([from]) => from === at).map(([, to]) => `f${to}x`),
            (at % 5) + 1,
          ),
        );
        const ignored = new Set<string>();
        const cycleLeft = (): readonly string[] | undefined =>
          findCycle(slugsOf(nodes), linkFeatures(nodes, ignored).needs);
        for (let cycle = cycleLeft(); cycle !== undefined && ignored.size <= edges.length; cycle = cycleLeft()) {
          for (const drop of waysOut(cycle, nodes).slice(0, 1)) ignored.add(needKey(drop));
        }
        const { needs } = linkFeatures(nodes, ignored);
        const order = featureOrder(nodes, needs);
        expect(order.toSorted()).toEqual(slugsOf(nodes).toSorted());
        for (const [from, all] of needs)
          for (const to of all) expect(order.indexOf(to)).toBeLessThan(order.indexOf(from));
      }),
      { numRuns: 200 },
    );
  });
});
