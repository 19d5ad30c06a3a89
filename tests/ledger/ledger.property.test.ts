/** Under any sequence of appends, takeovers, reads and reopenings, the ledger equals one list per run. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunId } from '../../src/base/ids.ts';
import type { RunEvent } from '../../src/core/event/event.ts';
import type { Lease } from '../../src/ledger/lease.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { runs } from '../properties/runs.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { aRun, created, dead, holder } from './sample-events.ts';

const folder = temporaryFolders();
const at = fc.nat();
const text = fc.string({ unit: 'binary', maxLength: 40 });
const event: fc.Arbitrary<RunEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('task.settled' as const),
    version: fc.constant(1 as const),
    at,
    task: fc.string({ unit: 'binary', minLength: 1 }),
    status: fc.constantFrom('completed' as const, 'failed' as const),
  }),
  fc.record({ kind: fc.constant('run.started' as const), version: fc.constant(1 as const), at, command: text }),
  fc.record({
    kind: fc.constant('run.paused' as const),
    version: fc.constant(1 as const),
    at,
    reason: text,
    for: fc.constantFrom('stop' as const, 'answer' as const),
  }),
  fc.record({
    kind: fc.constant('plan.written' as const),
    version: fc.constant(1 as const),
    at,
    file: text,
    hash: text,
  }),
  fc.record({
    kind: fc.constant('plan.changed' as const),
    version: fc.constant(1 as const),
    at,
    file: text,
    hash: text,
    conflicts: fc.array(text, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('run.ended' as const),
    version: fc.constant(1 as const),
    at,
    status: fc.constantFrom('completed' as const, 'failed' as const, 'cancelled' as const),
  }),
);
const which = fc.nat({ max: 2 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('append' as const), which, events: fc.array(event, { maxLength: 8 }) }),
  },
  // More than one piece of the reader.
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('flood' as const),
      which,
      event,
      count: fc.integer({ min: 200, max: 600 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('stale' as const), which, event }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), which, after: fc.nat({ max: 700 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
);

interface Model {
  readonly run: RunId;
  readonly events: RunEvent[];
  lease: Lease;
  stale: Lease | undefined;
}

describe('the ledger', () => {
  it('is a list of events for each run', () => {
    const file = join(folder(), 'ledger.db');
    let ledger = openLedger(file);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const models = Array.from({ length: 3 }, () => begin(ledger));
        for (const one of steps) {
          if (one.do === 'reopen') {
            ledger.close();
            ledger = openLedger(file);
            for (const model of models) takeOver(ledger, model, false);
            continue;
          }
          const model = models[one.which];
          if (model === undefined) throw new Error('no such run');
          if (one.do === 'append') append(model, one.events);
          else if (one.do === 'flood')
            append(
              model,
              Array.from({ length: one.count }, () => one.event),
            );
          else if (one.do === 'read') expectSame(ledger, model, one.after);
          else {
            takeOver(ledger, model, true);
            expectRefused(model, one.event);
          }
        }
        for (const model of models) {
          expectSame(ledger, model, 0);
          expectRow(ledger, model);
        }
      }),
      // Each case has a disk to wait for.
      { numRuns: Math.ceil(runs.numRuns / 10) },
    );
    ledger.close();
  });
});

function begin(ledger: Ledger): Model {
  const run = aRun();
  const model: Model = { run, events: [], lease: ledger.take(run, holder(1), dead), stale: undefined };
  append(model, [created(run)]);
  return model;
}

function append(model: Model, events: readonly RunEvent[]): void {
  expect(model.lease.append(events)).toBe(model.events.push(...events));
}

function takeOver(ledger: Ledger, model: Model, keep: boolean): void {
  model.stale = keep ? model.lease : undefined;
  model.lease = ledger.take(model.run, holder(model.events.length + 2), dead);
  expect(model.lease.head).toBe(model.events.length);
}

function expectRefused({ stale, run }: Model, event: RunEvent): void {
  expect(() => stale?.append([event])).toThrow(
    expect.objectContaining({ code: 'LEASE_LOST', ids: expect.objectContaining({ run }) }),
  );
}

function expectSame(ledger: Ledger, { run, events }: Model, after: number): void {
  const expected = events.map((one, index) => ({ seq: index + 1, ...one })).slice(after);
  expect([...ledger.read(run, after)]).toEqual(expected);
}

/** The list of runs follows from the events. */
function expectRow(ledger: Ledger, { run, events }: Model): void {
  const expected = { status: 'planning', planFile: '', head: events.length, changed: events.at(-1)?.at };
  for (const one of events) {
    if (one.kind === 'run.created') expected.planFile = one.plan.file;
    if (one.kind === 'plan.written' || one.kind === 'plan.changed') expected.planFile = one.file;
    if (one.kind === 'run.started') expected.status = 'running';
    if (one.kind === 'run.paused') expected.status = 'paused';
    if (one.kind === 'run.ended') expected.status = one.status;
  }
  expect(ledger.run(run)).toMatchObject(expected);
}
