import { describe, expect, it } from 'vitest';
import { aRun, created } from '../../tests/ledger/sample-events.ts';
import type { RunEvent } from '../core/event/event.ts';
import { coreVersion } from '../core/state/state.ts';
import { foldOn, foldRun } from './fold-run.ts';
import type { LedgerReader } from './ledger.ts';

type EventReader = Parameters<typeof foldRun>[0];

/** A reader of one run; `taken` counts the events that were read. */
function readerOf(core: number, snapshot: ReturnType<LedgerReader['snapshot']> = null) {
  const run = aRun();
  const planned: RunEvent = {
    kind: 'wave.planned',
    version: 1,
    at: 1_800_000_000_001,
    wave: 1,
    number: 1,
    title: '',
    reviewTier: 'deep',
    tasks: [],
  };
  const count = { taken: 0 };
  const reader: EventReader = {
    *read() {
      for (const [at, event] of [{ ...created(run), core }, planned].entries()) {
        count.taken += 1;
        yield { ...event, run, seq: at + 1 };
      }
    },
    snapshot: () => snapshot,
  };
  return { run, reader, count };
}

describe('a run of another core version', () => {
  const refusal = (core: number): unknown =>
    expect.objectContaining({
      code: 'LEDGER_NEWER',
      expected: `core version ${coreVersion}`,
      got: `core version ${core}`,
    });

  it.each([coreVersion - 1, coreVersion + 1])('%i is refused before any event is applied', (core) => {
    const { run, reader, count } = readerOf(core);
    const seen: string[] = [];
    expect(() => foldRun(reader, run, ({ kind }) => seen.push(kind))).toThrow(refusal(core));
    expect([seen, count.taken]).toEqual([[], 1]);
    expect(() => foldRun(reader, run)).toThrow(refusal(core));
    expect(() => foldOn(reader, run)).toThrow(refusal(core));
    expect(count.taken).toBe(3);
  });

  it('is refused with a snapshot as well', () => {
    const { run, reader, count } = readerOf(coreVersion - 1, { seq: 1, body: '{}' });
    expect(() => foldRun(reader, run)).toThrow(refusal(coreVersion - 1));
    expect(count.taken).toBe(1);
  });

  it('is the only one that is refused', () => {
    const { run, reader } = readerOf(coreVersion);
    expect(foldRun(reader, run).waves.length).toBe(1);
  });
});
