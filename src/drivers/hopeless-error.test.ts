import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Entry } from '../dialects/entry.ts';
import { hopelessError } from './hopeless-error.ts';
import { claudeFailures, opencodeFailures } from './profiles/failure-rows.ts';
import { runaway, runawayLimits } from './runaway.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'divisi-hopeless-'));

function taken(entries: readonly Entry[], failures = claudeFailures): string {
  const hopeless = hopelessError(failures, folder(), () => undefined);
  entries.forEach((entry) => hopeless.take(entry));
  return hopeless.found()?.cause ?? 'none';
}

const overflow: Entry = { kind: 'error', text: 'too long · ContextOverflowError' };
const tool: Entry = { kind: 'tool-ended', id: '1', name: 'edit', argument: '', failed: false, detail: '' };

it('is a rejected key that the client retries, and no other retry', () => {
  expect(taken([{ kind: 'waits', text: '401', error: 'authentication_failed · status 401' }])).toBe('authentication');
  expect(taken([{ kind: 'waits', text: '529', error: 'overloaded · status 529' }])).toBe('none');
  expect(taken([{ kind: 'said', text: 'authentication_failed' }])).toBe('none');
});

it('is a context that is full three times in a row, without a tool call in between', () => {
  expect(taken([overflow, overflow], opencodeFailures)).toBe('none');
  expect(taken([overflow, overflow, overflow], opencodeFailures)).toBe('context-full');
  expect(taken([overflow, overflow, tool, overflow], opencodeFailures)).toBe('none');
});

/** Calls a second apart, unless told otherwise. */
async function found(kinds: readonly Entry['kind'][], { every = 1000, file = false } = {}): Promise<boolean> {
  const directory = folder();
  let now = 1_700_000_000_000;
  let isFound = false;
  const watch = runaway(
    directory,
    () => (isFound = true),
    () => now,
  );
  if (file) writeFileSync(join(directory, 'made.txt'), 'made');
  else now = Date.now() + 1_000_000;
  for (const kind of kinds) {
    await watch.take(kind);
    now += every;
  }
  return isFound;
}

const answers = (count: number): Entry['kind'][] => Array.from({ length: count }, () => 'answer-begun');

it('is a runaway: thirty model calls within a minute, without a tool call or a change on disk', async () => {
  expect(await found(answers(runawayLimits.calls))).toBe(true);
  expect(await found(answers(runawayLimits.calls - 1))).toBe(false);
  expect(await found([...answers(20), 'tool', ...answers(20)])).toBe(false);
  expect(await found(answers(100), { every: 2100 })).toBe(false);
  expect(await found(answers(runawayLimits.calls), { file: true })).toBe(false);
});
