/** Simulated worlds, one per seed. The error names the failing seed, which fails the same way again. */
import { expect, it } from 'vitest';
import { baseResults } from '../../src/core/event/base-check.ts';
import type { CheckpointKind } from '../../src/core/event/checkpoint.ts';
import type { EventOf, RunEvent } from '../../src/core/event/event.ts';
import { gateRoles } from '../../src/core/event/role.ts';
import { isFailure } from '../../src/core/event/work-findings.ts';
import { verdicts } from '../../src/core/event/verification.ts';
import { count, isLong } from '../properties/runs.ts';
import { simulate } from './simulate.ts';

const retryReasons: readonly EventOf<'task.retried'>['why'][] = ['again', 'escalated', 'waited', 'approved'];

/** Test files that share the seeds of the long run, to keep every core busy. */
const parts = 4;
const all = count(200, 10_000);

/** What a world has to offer, beside its crashes. */
function tellingOf(event: RunEvent): string | undefined {
  if (event.kind === 'task.added') return event.role;
  if (event.kind === 'task.retried') return event.why;
  if (event.kind === 'checkpoint.opened') return event.type;
  if (event.kind === 'task.verified') return event.verification.verdict;
  if (event.kind === 'base.checked') return `base ${event.check.result}`;
  if (event.kind === 'gate.checked') return event.commands.some(isFailure) ? 'broke' : 'held';
  return event.kind;
}

/** `part` of the seeds in the long run; the first part takes all of them in `npm test`. */
export function testWorlds(part: 1 | 2 | 3 | 4): void {
  const step = isLong ? parts : 1;
  const seeds = Math.ceil(all / step);
  it.skipIf(!isLong && part > 1)(`holds its invariants in ${seeds} simulated worlds, part ${part}`, async () => {
    let [events, crashes, incarnations] = [0, 0, 0];
    const telling = new Map<string, number>();
    for (let at = 0; at < seeds; at += 1) {
      const seed = part + at * step;
      const simulated = await simulate(seed).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      });
      expect(simulated.broken, `seed ${seed}`).toEqual([]);
      events += simulated.events.length;
      crashes += simulated.crashes;
      incarnations += simulated.incarnations;
      for (const event of simulated.events) {
        const what = tellingOf(event);
        if (what !== undefined) telling.set(what, (telling.get(what) ?? 0) + 1);
      }
    }
    // A world in which nothing goes wrong would prove nothing.
    expect(crashes).toBeGreaterThan(seeds / 2);
    expect(incarnations).toBeGreaterThan(seeds * 1.5);
    expect(events).toBeGreaterThan(seeds * 20);
    const settling = [
      ...baseResults.map((result) => `base ${result}`),
      'task.merged',
      'task.conflicted',
      'work.drifted',
      'workspace.updated',
      'held',
      'broke',
      ...verdicts,
    ];
    const asked: readonly CheckpointKind[] = ['planned', 'review', 'failure', 'breaker', 'budget', 'edit', 'base'];
    const wanted = [...gateRoles, ...retryReasons, ...asked, ...settling];
    expect(wanted.filter((what) => (telling.get(what) ?? 0) < seeds / 10)).toEqual([]);
  });
}
